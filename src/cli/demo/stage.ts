import type { Core } from '../../app.js';

/** A service to play on, with what only its operator can reach. */
export interface DemoService {
  /** Where the service is reached, without a slash at its end. */
  readonly url: string;
  /** The service's domain, as commands have it. */
  readonly core: Core;
  /** One line for whoever watches. */
  readonly about: string;
}
