/**
 * Runs the work while no other tab of this origin runs work under the same name.
 *
 * Web Locks need a secure context (HTTPS or localhost). Without them, the tabs do not wait for each other: the service
 * then gives all that present one refresh token within 10 s the same successor.
 */
export async function withLock<TResult>(name: string, work: () => Promise<TResult>): Promise<TResult> {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(name, work);
}
