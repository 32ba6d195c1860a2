import { isRecord } from '../is-record.js';

/** What outlives a page: whose session it is, and the token that renews it. */
export interface StoredSession {
  readonly userId: string;
  readonly refreshToken: string;
}

/**
 * Keeps the session in the local storage, which only scripts of this origin can read. The tabs of a browser share it.
 *
 * Keeps it in memory, until the page is closed, in browsers that forbid the storage.
 */
export class SessionStore {
  readonly #key: string;
  #memory: string | null = null;

  /** @param basePath separates the services of one origin */
  constructor(basePath: string) {
    this.#key = `convene.session:${basePath}`;
  }

  read(): StoredSession | null {
    return parse(this.#readText());
  }

  /** @param session null removes it */
  write(session: StoredSession | null): void {
    this.#memory = session === null ? null : JSON.stringify(session);
    try {
      if (this.#memory === null) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, this.#memory);
    } catch {
      // The browser forbids the storage.
    }
  }

  /** Calls the listener when another tab has written the session. */
  onChangeElsewhere(listener: () => void): void {
    addEventListener('storage', ({ key }) => {
      // The key is null when the storage was cleared.
      if (key === this.#key || key === null) listener();
    });
  }

  #readText(): string | null {
    try {
      return localStorage.getItem(this.#key);
    } catch {
      return this.#memory;
    }
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
