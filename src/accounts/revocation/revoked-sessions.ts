/** Revoked sessions in memory, each for as long as one of its access tokens can be valid. */
export class RevokedSessions {
  /** When each is forgotten, in the order in which they were added. */
  readonly #forgetAtMs = new Map<string, number>();

  /** One that is known already stays where it is. */
  add(sessionIds: readonly string[], forgetAtMs: number): void {
    for (const id of sessionIds) {
      if (!this.#forgetAtMs.has(id)) this.#forgetAtMs.set(id, forgetAtMs);
    }
  }

  has(sessionId: string): boolean {
    return this.#forgetAtMs.has(sessionId);
  }

  /** Oldest first, so that it costs as much as there is to forget; after a clock was set back, some are kept longer. */
  forgetUntil(nowMs: number): void {
    for (const [id, forgetAtMs] of this.#forgetAtMs) {
      if (forgetAtMs > nowMs) return;
      this.#forgetAtMs.delete(id);
    }
  }
}
