import { randomBytes } from 'node:crypto';

/** Somebody who plays along. */
export interface DemoUser {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly email: string | null;
}

export interface DemoUsers {
  readonly ada: DemoUser;
  readonly grace: DemoUser;
  /** Invited by mail, before there is an account. */
  readonly linus: DemoUser;
}

/** New people for each run, so that it can be repeated on the same service. */
export function createDemoUsers(): DemoUsers {
  const run = randomBytes(3).toString('hex');
  const password = randomBytes(12).toString('base64url');
  return {
    ada: { name: 'Ada', username: `ada-${run}`, password, email: `ada-${run}@example.org` },
    grace: { name: 'Grace', username: `grace-${run}`, password, email: null },
    linus: { name: 'Linus', username: `linus-${run}`, password, email: `linus-${run}@example.org` },
  };
}

/** Somebody who has signed in. */
export interface SignedInUser {
  readonly person: DemoUser;
  readonly userId: string;
  readonly token: string;
}
