import type { Exchanges } from '../exchanges/exchange.js';

/** A program that is measured. Subjects with the same port share one process and one database. */
export interface Subject {
  readonly name: string;
  readonly description: string;
  /** Arguments of Node. */
  readonly command: readonly string[];
  /** Folder in which the program runs. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly port: number;
  readonly databaseUrl: string;
  /** A failure of the service or of the reference ends the benchmark; that of another program is reported. */
  readonly isRequired: boolean;
  readonly exchanges: Exchanges;
}
