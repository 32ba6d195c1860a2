/**
 * Bundles the compiled service in dist/compiled into the programs in dist/src, which share the files of dist/chunks.
 * `set-up/build.mjs` starts it after the compiler. What is imported dynamically becomes a file of its own, which is
 * loaded when it is needed.
 *
 * Writes dist/bundle.json, esbuild's metafile: what each file contains, and which files it imports.
 *
 *   node scripts/bundle-service.mjs <root>
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(process.argv[2] ?? '.');
const COMPILED = 'dist/compiled';
const OUTPUTS = ['dist/src', 'dist/chunks'];

/**
 * Native modules, packages that read files beside them, packages that Fastify requires for what the service does not
 * use, and an optional package that is not installed.
 */
const EXTERNAL = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  '@node-rs/argon2',
  '@graphql-yoga/render-graphiql',
  '@scalar/fastify-api-reference',
  'class-validator',
];

/** Exports of packages that others import for what the service does not use: a use loads the installed package. */
const ON_DEMAND = {
  'cron-parser': ['CronExpressionParser'],
  'date.js': ['default'],
  'fast-json-stringify': ['default'],
  luxon: ['DateTime'],
};

/** CommonJS packages in a module call `require` for modules of Node. */
const BANNER =
  "import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);";

/** The source maps of packages, which would map to sources that are not installed. */
const MAP_COMMENT = /^\/\/# sourceMappingURL=.*$/gm;

const COMPILED_FILE = /[\\/]dist[\\/]compiled[\\/].*\.js$/;
const ORM_FILE = /[\\/]node_modules[\\/]@mikro-orm[\\/].*\.js$/;
/** A class that the compiler wrote at the top level, as statement or, when it is decorated, as expression. */
const CLASS = /^(?:export )?(?:let \w+ = (?:\w+ = )?)?class (\w+)[^\n{]*\{$/gm;

for (const folder of OUTPUTS) rmSync(join(root, folder), { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { 'src/main': `${COMPILED}/src/main.js`, 'src/cli/main': `${COMPILED}/src/cli/main.js` },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: EXTERNAL,
  banner: { js: BANNER },
  // Not the names, which stack traces contain. Lines stay short, because stack traces print them.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
  legalComments: 'none',
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
  plugins: [
    graphqlOnce(),
    httpByRequire(),
    zodInEnglish(),
    onDemand(),
    ormByModule(),
    withClassNames(),
    withoutPackageMaps(),
  ],
});
writeFileSync(join(root, 'dist', 'bundle.json'), JSON.stringify(metafile));

/** One copy of graphql, as modules, also for the packages that require it: it rejects objects of another copy. */
function graphqlOnce() {
  return {
    name: 'graphql once',
    setup({ onResolve, resolve: resolvePath }) {
      onResolve({ filter: /^graphql(\/|$)/ }, async ({ path, pluginData, ...options }) => {
        if (pluginData === 'found') return undefined;
        const found = await resolvePath(path, { ...options, pluginData: 'found' });
        return { ...found, path: found.path.replace(/\.js$/, '.mjs') };
      });
    },
  };
}

/** An import of node:http reads each of its exports, of which one loads the client of `fetch`: 6 MiB. */
function httpByRequire() {
  return {
    name: 'http by require',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(node:)?http$/ }, ({ namespace }) =>
        namespace === 'by-require' ? { path: 'node:http', external: true } : { path: 'http', namespace: 'by-require' },
      );
      onLoad({ filter: /.*/, namespace: 'by-require' }, () => ({ contents: "module.exports = require('node:http');" }));
    },
  };
}

/** Without the messages in other languages, which are 0.5 MB. */
function zodInEnglish() {
  return {
    name: 'zod in English',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: "export { default as en } from './en.js';",
      }));
    },
  };
}

function onDemand() {
  const names = Object.keys(ON_DEMAND).join('|').replaceAll('.', '\\.');
  return {
    name: 'on demand',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => ({ path, namespace: 'on-demand' }));
      onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ path }) => ({ contents: moduleOnDemand(path) }));
    },
  };
}

/** The `default` of a CommonJS package is the package itself. */
function moduleOnDemand(name) {
  const load = `require(${JSON.stringify(name)})`;
  return ON_DEMAND[name]
    .map((member) => {
      const real = member === 'default' ? load : `${load}.${member}`;
      const handler = `{get:(_,key)=>${real}[key],apply:(_,self,args)=>${real}.apply(self,args)}`;
      return `const ${member}_=new Proxy(function(){},${handler});export{${member}_ as ${member}};`;
    })
    .join('\n');
}

/** Leaves out modules of MikroORM that nothing imports, such as other dialects of SQL. */
function ormByModule() {
  return {
    name: 'MikroORM by module',
    setup({ onResolve, resolve: resolvePath }) {
      onResolve({ filter: /^(@mikro-orm\/|\.\.?\/)/ }, async ({ path, pluginData, ...options }) => {
        if (pluginData === 'found' || !/@mikro-orm/.test(path + options.importer)) return undefined;
        return { ...(await resolvePath(path, { ...options, pluginData: 'found' })), sideEffects: false };
      });
    },
  };
}

function withoutPackageMaps() {
  return {
    name: 'without source maps of packages',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, ({ path }) => ({
        contents: withoutFetch(withoutMap(readFileSync(path, 'utf8'))),
      }));
    },
  };
}

/**
 * `@fastify/compress` mentions the class `Response`, for which Node loads its client of HTTP: 6 MiB. Fastify itself
 * recognises a `Response` as follows.
 */
function withoutFetch(code) {
  return code.replace('obj instanceof Response', "Object.prototype.toString.call(obj) === '[object Response]'");
}

/**
 * The bundler renames classes. Entities, GraphQL types, logged errors and the extensions of MikroORM are known by the
 * name of their class.
 */
function withClassNames() {
  return {
    name: 'with class names',
    setup({ onLoad }) {
      onLoad({ filter: COMPILED_FILE }, ({ path }) => ({ contents: withNames(readFileSync(path, 'utf8')) }));
      onLoad({ filter: ORM_FILE }, ({ path }) => ({ contents: withNames(withoutMap(readFileSync(path, 'utf8'))) }));
    },
  };
}

function withoutMap(code) {
  return code.replace(MAP_COMMENT, '');
}

function withNames(code) {
  return code.replace(
    CLASS,
    (line, name) => `${line}static{Object.defineProperty(this,"name",{value:"${name}",configurable:true})}`,
  );
}
