import { randomBytes } from 'node:crypto';

/** User of the demo. */
export interface DemoUser {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly email: string | null;
}

export interface DemoUsers {
  readonly ada: DemoUser;
  readonly grace: DemoUser;
  /** Invited by email before he has an account. */
  readonly linus: DemoUser;
}

/** Creates users with new names, so that the demo can be repeated on the same service. */
export function createDemoUsers(): DemoUsers {
  const run = randomBytes(3).toString('hex');
  const password = randomBytes(12).toString('base64url');
  return {
    ada: { name: 'Ada', username: `ada-${run}`, password, email: `ada-${run}@example.org` },
    grace: { name: 'Grace', username: `grace-${run}`, password, email: null },
    linus: { name: 'Linus', username: `linus-${run}`, password, email: `linus-${run}@example.org` },
  };
}

/** User with an access token. */
export interface SignedInUser {
  readonly user: DemoUser;
  readonly userId: string;
  readonly token: string;
}
