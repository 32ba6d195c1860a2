/** Revoked sessions in memory, each for as long as one of its access tokens can be valid. */
export class RevokedSessionCache {
  /** When each is forgotten, in the order in which they were added. */
  readonly #forgetAtMs = new Map<string, number>();

  /** Adds sessions; a session that is known already is kept until the later of the two times. */
  add(sessionIds: readonly string[], forgetAtMs: number): void {
    for (const id of sessionIds) {
      if ((this.#forgetAtMs.get(id) ?? -Infinity) >= forgetAtMs) continue;
      // Deleted first, so that it takes its place in the order.
      this.#forgetAtMs.delete(id);
      this.#forgetAtMs.set(id, forgetAtMs);
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
