import { afterAll, describe, expect, it } from '@jest/globals';
import { loadConfig, type Settings } from '../../src/config/index.js';
import { startTestService } from '../support/service/test-service.js';

const settings = (environment: Readonly<Record<string, string>>): Settings => loadConfig(environment, '/nonexistent');

describe.each(['PUBLIC_URL', 'FRONTEND_URL'] as const)('%s', (name) => {
  it.each([
    ['https://example.org', 'https://example.org'],
    ['https://example.org/', 'https://example.org'],
    ['https://example.org/convene//', 'https://example.org/convene'],
    [' HTTPS://Example.org:443/a/b/ ', 'https://example.org/a/b'],
  ])('removes the slash at the end of "%s"', (text, address) => {
    expect(settings({ [name]: text })[name]).toBe(address);
  });

  it.each([
    ['example.org', 'must be a URL that begins with http:// or https://'],
    ['ftp://example.org', 'must be a URL that begins with http:// or https://'],
    ['https://ada:hidden@example.org', 'must not have a user name or a password'],
    ['https://example.org/?a=1', 'must not have a query (?) or a fragment (#), because paths are appended to it'],
    ['https://example.org/?', 'must not have a query (?) or a fragment (#), because paths are appended to it'],
    ['https://example.org/#/', 'must not have a query (?) or a fragment (#), because paths are appended to it'],
  ])('rejects "%s"', (text, problem) => {
    expect(() => settings({ [name]: text })).toThrow(`\n  - ${name} ${problem}`);
  });
});

describe('PUBLIC_URL', () => {
  it.each(['/convene', '/api', '/api/convene', '/graph', '/a/graphql', '/~ada/convene_2.0'])(
    'accepts the path %s unless the service uses it itself',
    (path) => {
      const read = () => settings({ PUBLIC_URL: `https://example.org${path}` }).PUBLIC_URL;
      if (path === '/api') expect(read).toThrow('PUBLIC_URL must not have a path that the service uses itself');
      else expect(read()).toBe(`https://example.org${path}`);
    },
  );

  it.each(['/two words', '/b%C3%BCro', '/büro', '//convene', '/a//b', '/a;b', '/a:b'])(
    'rejects the path %s, which proxies can spell in several ways',
    (path) => {
      expect(() => settings({ PUBLIC_URL: `https://example.org${path}` })).toThrow(
        'PUBLIC_URL must have a path of letters',
      );
    },
  );
});

describe('the routes of the service', () => {
  const removals: (() => Promise<void>)[] = [];
  afterAll(() => Promise.all(removals.map((remove) => remove())));

  it('are no base paths', async () => {
    const service = await startTestService({ settings: { GRAPHIQL: 'on' } });
    removals.push(() => service.remove());
    const prefixes = staticPrefixesOf(service.server.printRoutes({ commonPrefix: false }));
    expect(prefixes.length).toBeGreaterThan(10);
    for (const prefix of prefixes)
      expect(() => settings({ PUBLIC_URL: `https://example.org${prefix}` })).toThrow('that the service uses itself');
  });
});

/** The paths of a printed route tree, up to their first parameter or wildcard. CORS has a wildcard at the root. */
function staticPrefixesOf(tree: string): string[] {
  const prefixes = pathsOf(tree).map((path) => path.split(/\/:|\/?\*/, 1)[0] ?? '');
  return [...new Set(prefixes)].filter((prefix) => !['', '/'].includes(prefix));
}

/** A node of the tree continues the path of the node that it is indented below. */
function pathsOf(tree: string): string[] {
  const ancestors: string[] = [];
  return [...tree.matchAll(/^((?:[│ ] {3})*)[├└]── (\S*)(.*)$/gm)].flatMap(([, indent = '', segment = '', methods]) => {
    const depth = indent.length / 4;
    const path = `${ancestors[depth - 1] ?? ''}${segment}`;
    ancestors[depth] = path;
    return methods === '' ? [] : [`/${path}`.replace('//', '/')];
  });
}
