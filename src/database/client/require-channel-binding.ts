import type pg from 'pg';

const BOUND_MECHANISM = 'SCRAM-SHA-256-PLUS';
const UNBOUND_REQUESTS = ['authenticationCleartextPassword', 'authenticationMD5Password', 'authenticationOk'];

/** Ends a new connection whose server does not prove that no third party stands between (RFC 5929), as libpq does. */
export function requireChannelBinding({ connection }: pg.Client): void {
  let isBound = false;
  const refuse = (): void => {
    if (!isBound)
      connection.stream.destroy(new Error('The server offers no channel binding, which channel_binding=require needs'));
  };
  connection.on('authenticationSASL', ({ mechanisms }: { readonly mechanisms: readonly string[] }) => {
    isBound = mechanisms.includes(BOUND_MECHANISM);
    refuse();
  });
  for (const request of UNBOUND_REQUESTS) connection.on(request, refuse);
}
