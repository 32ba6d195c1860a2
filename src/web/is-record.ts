/** Whether a value is an object with named properties: neither null nor an array. Browser code has no part of `src`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
