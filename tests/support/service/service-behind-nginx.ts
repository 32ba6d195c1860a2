import { readFile } from 'node:fs/promises';
import { findFreePort } from '../../../src/database/embedded/system/free-port.js';
import { startNginx } from '../processes/nginx.js';
import { startTestService, type ServiceOptions, type TestService } from './test-service.js';

/** Its `url` is that of nginx, with the base path. */
export interface ServiceBehindNginx extends TestService {
  readonly basePath: string;
  /** The URL of the service without nginx. */
  readonly directUrl: string;
}

/** Whether nginx forwards the base path unchanged, or removes it. */
export type PathMode = 'keeps' | 'removes';

const OPERATIONS = new URL('../../../docs/operations.md', import.meta.url);
const SERVICE_ADDRESS = '127.0.0.1:4000';

/** Starts nginx with the configuration and the service with the settings of docs/operations.md. */
export async function startBehindNginx(
  mode: PathMode,
  { settings, ...options }: ServiceOptions = {},
): Promise<ServiceBehindNginx> {
  const port = await findFreePort();
  const documented = await readDocumented(mode);
  const origin = `http://127.0.0.1:${String(port)}`;
  const url = origin + documented.basePath;
  const service = await startTestService({
    ...options,
    settings: { PUBLIC_URL: `${url}/`, TRUST_PROXY: documented.trustProxy, ...settings },
  });
  const nginx = await startNginx(onPorts(documented.server, port, new URL(service.url).host), port);
  return {
    ...service,
    url,
    basePath: documented.basePath,
    directUrl: service.url,
    async remove() {
      await nginx.stop();
      await service.remove();
    },
  };
}

interface Documented {
  readonly server: string;
  readonly basePath: string;
  readonly trustProxy: string;
}

async function readDocumented(mode: PathMode): Promise<Documented> {
  const page = await readFile(OPERATIONS, 'utf8');
  const [server = '', removing = ''] = [...page.matchAll(/```nginx\n([^]*?)```/g)].map(([, block]) => block ?? '');
  return {
    server: mode === 'keeps' ? server : server.replace(/^ {2}location \/convene\/ \{[^]*?^ {2}\}\n/m, removing),
    basePath: valueIn(page, /^PUBLIC_URL=https:\/\/example\.org(\/[a-z]+)\/$/m),
    trustProxy: valueIn(page, /^TRUST_PROXY=(.+)$/m),
  };
}

function valueIn(page: string, pattern: RegExp): string {
  const value = pattern.exec(page)?.[1];
  if (value === undefined) throw new Error(`docs/operations.md has no line ${String(pattern)}`);
  return value;
}

/** Without TLS, since the certificate of the documentation does not exist. */
function onPorts(server: string, port: number, service: string): string {
  return server
    .replace('listen 443 ssl;', `listen 127.0.0.1:${String(port)};`)
    .replaceAll(/^ *ssl_certificate.*\n/gm, '')
    .replaceAll(SERVICE_ADDRESS, service);
}
