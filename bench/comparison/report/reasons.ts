const ALONE =
  'A read waits for the other requests of its tick before its statement is sent, which pays only under load.';

/** Why the service falls short of a bound, by the id of the target. Written by hand, from profiles and design. */
export const REASONS: Readonly<Record<string, string>> = {
  'rest.me.latency': ALONE,
  'rest.members.latency': ALONE,
  'rest.accepted-count.latency': ALONE,
  'rest.score.latency': ALONE,
  'graphql.me.latency': ALONE,
  'graphql.members.latency': ALONE,
  'graphql.accepted-count.latency': ALONE,
  'graphql.score.latency': ALONE,
  'rest.login.throughput':
    'Beside the hash, the reference reads one row. The service also starts a session and stores network and event.',
  'rest.register.throughput':
    'Beside the hash, the reference inserts one row. The service also stores and runs three follow-ups.',
};
