import { SetUpError } from './steps.mjs';

/** Rejects Windows, whose shell does not run the npm scripts. The service itself checks it too. */
export function requirePlatform(platform = process.platform) {
  if (platform === 'win32')
    throw new SetUpError(
      'Convene does not run on Windows: use Linux, macOS, or the Windows Subsystem for Linux (WSL).',
    );
}
