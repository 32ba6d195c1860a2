import { standardStream } from './log-stream.js';

/** The texts of the service to the operator, beside the log. */
export interface ServiceEvents {
  /** Called with a greeting, when the service accepts connections. */
  readonly onListening: (greeting: string) => void;
  /** Called when a service that has listened begins to stop. */
  readonly onStopping: () => void;
  /** Called with the cause of a failed start or stop. */
  readonly onFailure: (reason: string) => void;
}

/** Prints them. Not to the console, because a full disk or a full pipe must not keep the service from stopping. */
export const PRINTED_EVENTS: ServiceEvents = {
  onListening: (greeting) => {
    standardStream(1).write(`${greeting}\n`);
  },
  onStopping: () => {
    standardStream(1).write('\nStopping …\n');
  },
  onFailure: (reason) => {
    standardStream(2).write(`${reason}\n`);
  },
};
