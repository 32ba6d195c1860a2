import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findCircles, findOffences, readSources, type ImportRules } from './support/architecture/import-graph.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const rules = JSON.parse(readFileSync(new URL('import-rules.json', import.meta.url), 'utf8')) as ImportRules;

describe('the imports of the sources', () => {
  it('follow the rules of the architecture', () => {
    expect(findOffences(readSources(ROOT), rules)).toEqual([]);
  });

  it('are all checked', () => {
    expect(readSources(ROOT).size).toBeGreaterThan(100);
  });

  it('form no circle of files or folders', () => {
    expect(findCircles(readSources(ROOT))).toEqual([]);
  });
});

describe('findCircles', () => {
  it('returns circles of files and of folders, type imports included', () => {
    const sources = new Map([
      ['src/a/one.ts', "import type { Two } from '../b/two.js';"],
      ['src/b/two.ts', "import { three } from './three.js';"],
      ['src/b/three.ts', "import { two } from './two.js';\nimport { four } from '../a/four.js';"],
      ['src/a/four.ts', ''],
    ]);
    expect(findCircles(sources)).toEqual(['src/b/three.ts ⇄ src/b/two.ts', 'src/a ⇄ src/b']);
  });

  it('returns nothing for imports that go one way', () => {
    const sources = new Map([
      ['src/a/one.ts', "import '../b/two.js';\nimport './four.js';"],
      ['src/b/two.ts', "import '../c/three.js';"],
    ]);
    expect(findCircles(sources)).toEqual([]);
  });
});

describe('the imports between the folders of a part', () => {
  const folders = { groups: { model: [], scores: ['model'] } };

  it.each([
    ['src/groups/scores/a.ts', '../model/group.js'],
    ['src/groups/index.ts', './scores/a.js'],
    ['src/groups/scores/a.ts', './b.js'],
    ['src/accounts/sessions/a.ts', '../tokens/b.js'],
  ])('allow %s to import %s', (file, specifier) => {
    expect(findOffences(new Map([[file, `import '${specifier}';`]]), { ...rules, folders })).toEqual([]);
  });

  it.each([
    ['src/groups/model/a.ts', '../scores/b.js', 'groups/model may import no other folder of its part'],
    ['src/groups/scores/a.ts', '../history/b.js', 'groups/scores may import only model of its part'],
    ['src/groups/scores/a.ts', '../deps.js', 'groups/scores may import only model of its part'],
    ['src/groups/history/a.ts', '../model/b.js', 'there is no rule for groups/history; add one to folders'],
  ])('forbid %s to import %s', (file, specifier, reason) => {
    const offences = findOffences(new Map([[file, `import '${specifier}';`]]), { ...rules, folders });
    expect(offences).toEqual([`${file}:1 imports ${specifier}: ${reason}`]);
  });
});

describe('findOffences', () => {
  it.each([
    ['src/main.ts', './run-service.js'],
    ['src/app.ts', './jobs/outbox/relay.js'],
    ['src/app.ts', '../mikro-orm.config.js'],
    ['src/groups/invite.ts', '../accounts/index.js'],
    ['src/groups/invite.ts', './group.policy.js'],
    ['src/groups/reads/members.ts', '../../database/index.js'],
    ['src/graphql/types/member/resolvers/member.resolver.ts', '../../user/user.type.js'],
    ['src/mail/smtp.ts', '../accounts/ports/mailer.js'],
    ['src/http/server.ts', 'fastify'],
    ['src/rest/adapter/rest-plugin.ts', '../../http-core/index.js'],
    ['src/web/pages/invitation-page.ts', '../generated/operations.js'],
    ['mikro-orm.config.ts', './src/groups/group.entity.js'],
  ])('allows %s to import %s', (file, specifier) => {
    expect(offencesOf(file, `import '${specifier}';`)).toEqual([]);
  });

  it.each([
    [
      'src/groups/invite.ts',
      '../accounts/account.entity.js',
      'groups may import only accounts/index, database, paging, async, time, errors',
    ],
    [
      'src/accounts/register.ts',
      '../groups/index.js',
      'accounts may import only database, paging, async, time, errors',
    ],
    [
      'src/accounts/tokens/sign.ts',
      '../../config/index.js',
      'accounts may import only database, paging, async, time, errors',
    ],
    [
      'src/accounts/register.ts',
      '../../mikro-orm.config.js',
      'accounts may import only database, paging, async, time, errors',
    ],
    ['src/rest/routes/routes.ts', '../../accounts/register.js', 'rest may import only graphql, http-core, errors'],
    [
      'src/graphql/schema.ts',
      '../database/index.js',
      'graphql may import only http-core, person-lifecycle, accounts, groups, paging, async, time, errors',
    ],
    ['src/http-core/error-handler.ts', '../graphql/errors.js', 'http-core may import only errors'],
    ['src/mail/smtp.ts', '../accounts/index.js', 'mail may import only accounts/ports/mailer, errors'],
    ['src/async/keyed-semaphore.ts', '../database/index.js', 'async may import only errors'],
    ['src/paging/cursor.ts', '../database/index.js', 'paging may import only errors'],
    ['src/errors/index.ts', '../config/index.js', 'errors may import nothing else inside src'],
    [
      'src/main.ts',
      './http/server.js',
      'main may import only run-service, require-node, require-platform, config, compile-cache, shutdown',
    ],
    ['src/database/index.ts', '../app.js', 'database may import only paging, async, time, errors'],
    ['src/web/pages/invitation-page.ts', '../../errors/index.js', 'web may import nothing else inside src'],
    ['src/http/pages/render-page.ts', '../../web/pages/outcome.js', 'only the bundler reads web'],
    ['src/app.ts', './web/pages/outcome.js', 'only the bundler reads web'],
    ['src/services/mailer.ts', '../errors/index.js', 'there is no rule for services; add one to allowedImports'],
    [
      'src/groups/model/group.entity.ts',
      'type-graphql',
      'GraphQL types are classes of their own under src/graphql, apart from the entities.',
    ],
    [
      'src/accounts/register.ts',
      'graphql/error/index.js',
      'The domain knows no GraphQL: translate in a resolver under src/graphql.',
    ],
    [
      'src/accounts/register.ts',
      '@agendajs/postgres-backend',
      'The domain schedules nothing: append to the outbox, and let src/jobs do it.',
    ],
  ])('forbids %s to import %s', (file, specifier, reason) => {
    expect(offencesOf(file, `import '${specifier}';`)).toEqual([`${file}:1 imports ${specifier}: ${reason}`]);
  });

  it.each([
    ["import type { Job } from '../jobs/index.js';"],
    ["export { Job } from '../jobs/index.js';"],
    ["export * from '../jobs/index.js';"],
    ["const jobs = await import('../jobs/index.js');"],
    ["type Jobs = typeof import('../jobs/index.js');"],
    ["let job: import('../jobs/index.js').Job;"],
  ])('finds %s, and returns its line', (statement) => {
    expect(offencesOf('src/groups/invite.ts', `// The first line.\n\n${statement}`)).toEqual([
      'src/groups/invite.ts:3 imports ../jobs/index.js: ' +
        'groups may import only accounts/index, database, paging, async, time, errors',
    ]);
  });

  function offencesOf(file: string, text: string): string[] {
    return findOffences(new Map([[file, text]]), rules);
  }
});
