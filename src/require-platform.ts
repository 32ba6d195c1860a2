import { OperatorError } from './errors/index.js';

/**
 * Rejects Windows. Reasons: it has no POSIX signals, so the embedded server and the service could not be stopped
 * cleanly, and file modes do not protect secrets.
 *
 * @throws OperatorError on Windows
 */
export function requirePlatform(platform: NodeJS.Platform = process.platform): void {
  if (platform === 'win32')
    throw new OperatorError(
      'Convene does not run on Windows: use Linux, macOS, or the Windows Subsystem for Linux (WSL).',
    );
}
