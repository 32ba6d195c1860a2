export function firstLineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n', 1)[0] ?? '';
}
