const ALONE = 'One request alone pays for all that the service does around a statement, which is made for many keys.';
const MEMBERS =
  'A page that is current is remembered, but printed anew for each request: over REST under other names, with twice ' +
  'the fields of GraphQL and an entity tag.';
const GROUP =
  'PostgreSQL takes less than half of what it takes for the reference. The service takes nearly the same itself: ' +
  'hooks and headers of Fastify over REST, the body of the request over GraphQL, and the executor over both.';
const ME = 'The system calls of the response and of the statement are a fifth of its profile, for any program.';
const STATUS =
  'A change has a body, preconditions, two turns and rows of 40 columns besides its share of two statements.';
const HOT =
  'A change takes 0.17 to 0.20 ms of processor time of the service, and as much of PostgreSQL: one process cannot ' +
  'make more than 5,700 per second.';
const PEER =
  'The fastest, mercurius with JIT, checks access in the statement that reads only the columns that are asked for.';

/** Why the service falls short of a bound, by the id of the target. Written by hand, from profiles and design. */
export const REASONS: Readonly<Record<string, string>> = {
  'rest.me.processor': ME,
  'rest.me.throughput': ME,
  'rest.me.latency': ALONE,
  'rest.members.processor': MEMBERS,
  'rest.members.throughput': MEMBERS,
  'rest.members.latency': ALONE,
  'rest.accepted-count.processor': GROUP,
  'rest.accepted-count.throughput': GROUP,
  'rest.accepted-count.latency': ALONE,
  'rest.score.processor': GROUP,
  'rest.score.throughput': GROUP,
  'rest.score.latency': ALONE,
  'graphql.me.processor': ME,
  'graphql.me.throughput': ME,
  'graphql.me.latency': ALONE,
  'graphql.members.processor': MEMBERS,
  'graphql.members.throughput': MEMBERS,
  'graphql.members.latency': ALONE,
  'graphql.accepted-count.processor': GROUP,
  'graphql.accepted-count.throughput': GROUP,
  'graphql.accepted-count.latency': ALONE,
  'graphql.score.processor': GROUP,
  'graphql.score.throughput': GROUP,
  'graphql.score.latency': ALONE,
  'rest.status.throughput': STATUS,
  'graphql.status.throughput': STATUS,
  'rest.hot-group.rate': HOT,
  'graphql.hot-group.rate': HOT,
  'two-processes.hot-group.rate':
    'The processes take the row lock of the group in turn, with five round trips for each batch, and share two cores.',
  'rest.login.throughput':
    'The reference reads one row. The service also signs tokens and stores session, network and event: 1.9 ms of its ' +
    'main thread and 0.8 ms of PostgreSQL beside the hash, where the reference takes 0.6 and 0.3 ms.',
  'rest.register.throughput':
    'The reference inserts one row. The service also stores and runs three follow-ups: 2.0 ms of its main ' +
    'thread and 1.1 to 1.7 ms of PostgreSQL beside the hash, where the reference takes 0.6 and 0.3 to 0.6 ms.',
  'rest.login.flood': 'Hashing threads have a lower priority, but share the two cores; the reference has 11 to 15.',
  'rest.me.peers': PEER,
  'rest.members.peers': PEER,
  'rest.accepted-count.peers': PEER,
  'rest.score.peers': PEER,
  'rest.status.peers': PEER,
  'graphql.me.peers': PEER,
  'graphql.members.peers': PEER,
  'graphql.accepted-count.peers': PEER,
  'graphql.score.peers': PEER,
  'graphql.status.peers': PEER,
  'service.idle': 'The program of Node.js takes 60 MiB, and the heap with the loaded code 37 MiB.',
  'service.after-load':
    'The heap grows, with 15 MiB of remembered pages of members. The threads of the compiler of V8 keep 25 MiB.',
  'service.peak': 'It includes logins and registrations: each password hash takes 19 MiB while it runs.',
  'service.start': 'A start loads 4.2 MB of code, of which MikroORM and kysely are the largest part.',
};
