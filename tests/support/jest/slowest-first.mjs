import Sequencer from '@jest/test-sequencer';

/** What takes longest on a fresh machine, where Jest knows no times yet and would begin with the longest text. */
const SLOWEST = [
  'groups/model/',
  'contract/login-flood',
  'cli/bin',
  'contract/change-feed',
  'faults/restart',
  'contract/canaries.test',
  'contract/login-timing',
  'cli/demo/demo',
  'contract/rest/me',
  'contract/apollo',
  'contract/yoga',
  'cli/doctor/calibrate',
  'faults/killed-worker',
  'jobs/',
  'groups/races',
];

/** The slowest files first: one that begins last would keep one worker busy while the others have nothing left to do. */
export default class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one.path) - rankOf(other.path));
  }
}

function rankOf(path) {
  const rank = SLOWEST.findIndex((part) => path.replaceAll('\\', '/').includes(`/tests/${part}`));
  return rank < 0 ? SLOWEST.length : rank;
}
