/** A pino logger implements it. */
export interface HealthLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Stores whether a dependency can be reached, and logs only when that changes. */
export interface HealthMonitor {
  readonly reportFailure: (error: unknown) => void;
  readonly reportSuccess: () => void;
  /** The message of the last failure; null when the last report was a success, and before the first. */
  readonly lastError: () => string | null;
}

/**
 * @param subject the dependency, as the subject of a sentence: "The outbox"
 * @param describeError the text to log and store of an error, without personal data
 */
export function createHealthMonitor(
  log: HealthLogger,
  subject: string,
  describeError: (error: unknown) => string,
): HealthMonitor {
  let lastError: string | null = null;
  return {
    reportFailure(error) {
      const message = describeError(error);
      if (lastError === null) log.warn({ lastError: message }, `${subject} cannot be reached`);
      lastError = message;
    },
    reportSuccess() {
      if (lastError !== null) log.info({}, `${subject} is reached again`);
      lastError = null;
    },
    lastError: () => lastError,
  };
}
