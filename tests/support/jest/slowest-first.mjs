import Sequencer from '@jest/test-sequencer';

/** The slowest files on a fresh machine, where Jest has no timings and would begin with the longest file. */
const SLOWEST = [
  'groups/model/',
  'contract/accounts/login-flood',
  'cli/bin',
  'budget/',
  'contract/graphql/change-feed',
  'faults/restart',
  'processes/',
  'contract/canaries.test',
  'contract/accounts/login-timing',
  'cli/demo/demo',
  'contract/rest/me',
  'contract/graphql/apollo',
  'contract/graphql/yoga',
  'cli/doctor/calibrate',
  'faults/killed-worker',
  'faults/mongo-outage',
  'jobs/',
  'groups/races',
];

/** Runs the slowest files first. A slow file that starts last would occupy one worker while the others are idle. */
export default class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one.path) - rankOf(other.path));
  }
}

function rankOf(path) {
  const rank = SLOWEST.findIndex((part) => path.replaceAll('\\', '/').includes(`/tests/${part}`));
  return rank < 0 ? SLOWEST.length : rank;
}
