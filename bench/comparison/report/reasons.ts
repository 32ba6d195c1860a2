/** Why the service falls short of a bound, by the id of the target. Written by hand, from profiles. */
export const REASONS: Readonly<Record<string, string>> = {};
