/** Revoked sessions in memory, each until its last access token has expired. */
export class RevokedSessionCache {
  /** Expiry by session id, in insertion order. */
  readonly #expiresAtMs = new Map<string, number>();

  /** Adds sessions. A session that is present keeps the later of the two expiries. */
  add(sessionIds: readonly string[], expiresAtMs: number): void {
    for (const id of sessionIds) {
      if ((this.#expiresAtMs.get(id) ?? -Infinity) >= expiresAtMs) continue;
      // Deleted first, so that the entry moves to the end of the insertion order.
      this.#expiresAtMs.delete(id);
      this.#expiresAtMs.set(id, expiresAtMs);
    }
  }

  has(sessionId: string): boolean {
    return this.#expiresAtMs.has(sessionId);
  }

  /**
   * Evicts expired sessions, oldest first, and stops at the first that has not expired. After a clock was set back,
   * some entries stay longer than needed.
   */
  evictUntil(nowMs: number): void {
    for (const [id, expiresAtMs] of this.#expiresAtMs) {
      if (expiresAtMs > nowMs) return;
      this.#expiresAtMs.delete(id);
    }
  }
}
