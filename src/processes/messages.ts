import type { Settings } from '../config/index.js';

/** What a worker needs for its start. */
export interface StartOrder {
  /** The settings of the primary, with its port and its server secret. All workers have the same. */
  readonly settings: Settings;
  readonly databaseUrl: string;
  /** Whether the worker is to migrate the database. The others start afterwards. */
  readonly migrates: boolean;
}

/** Messages from the primary to a worker. */
export type Order = ({ readonly type: 'start' } & StartOrder) | { readonly type: 'stop' };

/** Messages from a worker to the primary. */
export type Report =
  | { readonly type: 'migrated' }
  | { readonly type: 'listening'; readonly greeting: string }
  /** The start or the stop has failed; the reason is a text for the operator. */
  | { readonly type: 'failed'; readonly reason: string };
