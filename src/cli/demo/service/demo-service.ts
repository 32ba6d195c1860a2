import type { Core } from '../../../open-core.js';

/** Service that the demo runs against. */
export interface DemoService {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Core of the service, for what only its operator can do. */
  readonly core: Core;
  /** One line for the output of the demo. */
  readonly description: string;
}
