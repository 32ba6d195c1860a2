import type { PageContext } from '../pages/page.js';

/** What the pages of accounts and invitations need in addition. */
export interface AccountPageContext extends PageContext {
  /** Whether the web client is served at `APP_PATH`, so that pages can lead on into it. */
  readonly hasApp: boolean;
  /** Shortest password that is accepted, in characters. */
  readonly passwordMinLength: number;
}

/** The web client. */
export const APP_PATH = '/app';
