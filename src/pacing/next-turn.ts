/** Resolves in the next turn of the event loop: after everybody who waits now has been served. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
