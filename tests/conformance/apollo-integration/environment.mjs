import { TestEnvironment } from 'jest-environment-node';

/** They wait until the time limit for what the endpoint never does; see expected-failures.ts. */
const WAIT_IN_VAIN =
  /^sets the trace key to (unknown operation|parse failure|validation failure)|^first payload sent while deferred/;
const SHORT_TIMEOUT_MS = 1_000;

/** Shortens the time limit of the tests that are expected to reach it. */
export default class IntegrationEnvironment extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name === 'test_start' && WAIT_IN_VAIN.test(test.name)) test.timeout = SHORT_TIMEOUT_MS;
  }
}
