const SLICES = 4;

/**
 * Calls `onExpiry` after the time, unless it is stopped before. A blocked event loop takes a quarter of the time.
 * Reason: after a block, an ordinary timer expires before the data is read that arrived meanwhile.
 *
 * @returns stops the timer
 */
export function startPatientTimer(limitMs: number, onExpiry: () => void): () => void {
  let slicesLeft = SLICES;
  const tick = (): void => {
    slicesLeft -= 1;
    if (slicesLeft === 0) onExpiry();
    else timer = setTimeout(tick, limitMs / SLICES).unref();
  };
  let timer = setTimeout(tick, limitMs / SLICES).unref();
  return () => {
    clearTimeout(timer);
  };
}
