import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const SERVER_SECRET = Buffer.alloc(32, 1).toString('base64');

interface Link {
  readonly page: string;
  readonly href: string;
}

/** Follows the links of the start page, and of all HTML pages found. */
async function crawl(client: TestClient): Promise<{ readonly pages: Map<string, string>; readonly links: Link[] }> {
  const pages = new Map<string, string>();
  const links: Link[] = [];
  const open = ['/'];
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    if (pages.has(page)) continue;
    const { status, headers, text } = await client.get(page, BROWSER);
    pages.set(page, status === 200 ? text : '');
    if (headers.get('content-type')?.startsWith('text/html') !== true) continue;
    const found = Array.from(text.matchAll(/<a href="([^"]*)"/g), ([, href]) => resolve(page, href ?? ''));
    links.push(...found.map((href) => ({ page, href })));
    open.push(...found.flatMap((href) => (href.startsWith('/') ? [href.split('#')[0] ?? ''] : [])));
  }
  return { pages, links };
}

function resolve(page: string, href: string): string {
  return href.startsWith('#') ? page + href : href.replaceAll('&amp;', '&');
}

describe.each(['test', 'production'])('the links of all pages in %s', (mode) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ settings: { NODE_ENV: mode, SERVER_SECRET } });
  });
  afterAll(() => service.remove());

  it('lead to paths that are served and to anchors that exist, or to HTTPS', async () => {
    const { pages, links } = await crawl(new TestClient(service.url));
    const broken = links.filter(({ href }) => {
      const [path = '', fragment] = href.split('#', 2);
      if (!path.startsWith('/')) return !href.startsWith('https://');
      const text = pages.get(path) ?? '';
      return text === '' || (fragment !== undefined && !text.includes(` id="${fragment}"`));
    });
    expect(broken).toEqual([]);
    for (const page of ['/problems', '/docs', '/docs/rest', '/docs/decisions', '/openapi.json'])
      expect([...pages.keys()]).toContain(page);
  });
});
