import { randomBytes } from 'node:crypto';

/** Somebody who plays along. */
export interface Person {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly email: string | null;
}

export interface People {
  readonly ada: Person;
  readonly grace: Person;
  /** Invited by mail, before there is an account. */
  readonly linus: Person;
}

/** New people for each run, so that it can be repeated on the same service. */
export function newPeople(): People {
  const run = randomBytes(3).toString('hex');
  const password = randomBytes(12).toString('base64url');
  return {
    ada: { name: 'Ada', username: `ada-${run}`, password, email: `ada-${run}@example.org` },
    grace: { name: 'Grace', username: `grace-${run}`, password, email: null },
    linus: { name: 'Linus', username: `linus-${run}`, password, email: `linus-${run}@example.org` },
  };
}

/** Somebody who has signed in. */
export interface SignedIn {
  readonly person: Person;
  readonly userId: string;
  readonly token: string;
}
