import { isRecord } from '../is-record.js';

/** What outlives an access token: whose session it is, and the token that renews it. */
interface StoredSession {
  readonly userId: string;
  readonly refreshToken: string;
}

export interface SessionStore {
  /** Name of what is stored. Stores of the same name share it. */
  readonly name: string;
  read(): StoredSession | null;
  /** @param session null removes it */
  write(session: StoredSession | null): void;
  /** Calls the listener when another tab has written the session. */
  onChangeElsewhere(listener: () => void): void;
}

/**
 * Creates a store in the local storage, which only scripts of this origin can read. The tabs of a browser share it.
 *
 * In browsers that forbid the storage, and while the storage is full, a session lasts until the page is closed.
 *
 * @param basePath separates the services of one origin
 */
export function createSessionStore(basePath: string): SessionStore {
  const name = `convene.session:${basePath}`;
  return isStorageAllowed(name) ? new BrowserStore(name) : createTemporaryStore();
}

/** Creates a store that lasts until the page is closed, and that no other page shares. */
export function createTemporaryStore(): SessionStore {
  let stored: StoredSession | null = null;
  return {
    name: 'convene.session',
    read: () => stored,
    write: (session) => {
      stored = session;
    },
    onChangeElsewhere: () => undefined,
  };
}

class BrowserStore implements SessionStore {
  readonly name: string;
  /** The session for which the storage has no space. */
  #unstored: StoredSession | null = null;

  constructor(name: string) {
    this.name = name;
  }

  read(): StoredSession | null {
    return this.#unstored ?? parse(localStorage.getItem(this.name));
  }

  write(session: StoredSession | null): void {
    this.#unstored = null;
    if (session !== null && isStored(this.name, JSON.stringify(session))) return;
    // A token that was stored before must not remain: its second use ends the session.
    localStorage.removeItem(this.name);
    this.#unstored = session;
  }

  onChangeElsewhere(listener: () => void): void {
    addEventListener('storage', ({ key }) => {
      // The key is null when the storage was cleared.
      if (key !== this.name && key !== null) return;
      this.#unstored = null;
      listener();
    });
  }
}

/** Access to a forbidden storage throws. */
function isStorageAllowed(name: string): boolean {
  try {
    localStorage.getItem(name);
    return true;
  } catch {
    return false;
  }
}

/** Writing to a full storage throws. */
function isStored(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

function parse(text: string | null): StoredSession | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isStoredSession(value) ? value : null;
  } catch {
    return null;
  }
}

function isStoredSession(value: unknown): value is StoredSession {
  return isRecord(value) && typeof value.userId === 'string' && typeof value.refreshToken === 'string';
}
