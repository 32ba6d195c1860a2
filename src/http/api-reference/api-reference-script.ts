import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import Fastify from 'fastify';
import { z } from 'zod';
import type { PageAsset } from '../assets/page-asset.js';

const PACKAGE = '@scalar/fastify-api-reference';
const PREFIX = '/reference';
const SCRIPT = 'js/scalar.js';

/** The Scalar API reference, from the installed package: 4.9 MB, which gzip compresses to 1.4 MB. */
export const API_REFERENCE_SCRIPT: PageAsset = {
  path: `/api/docs/${installedVersion()}/scalar.js`,
  read: readScript,
};

function installedVersion(): string {
  const manifest = findPackageJSON(PACKAGE, import.meta.url) ?? '';
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}

/**
 * Reads the script from the plugin, which exports no other way to it. The plugin's page has an inline script and its
 * script no cache headers, so the service has a page of its own.
 */
async function readScript(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(plugin, { routePrefix: PREFIX, configuration: { content: {} } });
  const { statusCode, payload } = await app.inject(`${PREFIX}/${SCRIPT}`);
  await app.close();
  if (statusCode !== 200) throw new Error(`${PACKAGE} has no ${SCRIPT}`);
  return payload;
}
