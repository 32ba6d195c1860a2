import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { CHROMIUM_PATH, launchChromium } from '../../browser/launch-chromium.js';
import { PASSWORD } from '../../support/service/test-users.js';
import { clientSuite, type Scenario } from '../client-suite.js';
import type { PageInput, UseService } from '../clients/browser-page.js';
import type { Suite } from '../suite.js';

const CLIENT = fileURLToPath(new URL('../clients/browser-page.ts', import.meta.url));

const inChromium = clientSuite('browser page', ['@apollo/client', 'esbuild', 'playwright-core'], {
  'logs in, reads, changes, fails and receives a change on another origin': async (scenario) => {
    const frontEnd = await startFrontEnd();
    const origin = `http://127.0.0.1:${String((frontEnd.address() as AddressInfo).port)}`;
    const { services, service, guest } = scenario;
    const { url, stop } = await services.start({ GRAPHQL_ENGINE: service.engine, CORS_ORIGINS: origin });
    try {
      assert.deepEqual(await openPage(origin, url, scenario), {
        username: guest.username,
        stateBefore: 'FORMING',
        stateAfter: 'CONFIRMED',
        error: 'GROUP_NOT_FOUND',
        change: 'RESPONSE',
      });
    } finally {
      frontEnd.close();
      await stop();
    }
  },
});

/** A page of another origin in Chromium, with Apollo Client in its bundle. */
export const browserPage: Suite = {
  ...inChromium,
  run: async (services) =>
    existsSync(CHROMIUM_PATH)
      ? inChromium.run(services)
      : { passed: 0, failed: [], expected: [], skipped: [], notRun: `there is no Chromium at ${CHROMIUM_PATH}` },
};

/** Serves a page that contains only the bundle. */
async function startFrontEnd(): Promise<Server> {
  const bundle = await build({
    entryPoints: [CLIENT],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
  });
  const script = bundle.outputFiles.map(({ text }) => text).join('');
  const server = createServer(({ url }, response) => {
    const [type, body] = url === '/client.js' ? ['javascript', script] : ['html', '<script src="/client.js"></script>'];
    response.setHeader('content-type', `text/${type}; charset=utf-8`).end(`${body}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function openPage(origin: string, url: string, { guest, groupId }: Scenario): Promise<unknown> {
  const input: PageInput = { url, username: guest.username, password: PASSWORD, userId: guest.id, groupId };
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    return await page.evaluate(
      (given) => (globalThis as unknown as { useService: UseService }).useService(given),
      input,
    );
  } finally {
    await browser.close();
  }
}
