import 'pg';

/** Members of the driver's client that its types leave out; see node_modules/pg/lib/client.js. */
declare module 'pg' {
  interface Client {
    /** False while the server owes an answer; undefined before the first. */
    readonly readyForQuery?: boolean;
    /** The parameters of the startup message. */
    getStartupConf(): Record<string, string>;
  }
}
