// Bundles the program and the entries of the package, which share their parts: a start then reads a hundred files instead of a
// thousand, and the package has each module once. What is imported on demand is in files of its own.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { build, transform } from 'esbuild';

const FOLDER = 'dist/server/program';
/** The declarations of the package. */
const TYPES = 'dist/types';
/** Native, with files of their own, or loaded on demand alone: packages that are installed with this one. */
const APART = [
  ...['sqlite3', 'tiny-secp256k1', 'pg', 'jose'],
  ...['hyparquet', 'hyparquet-compressors', 'marked', 'marked-gfm-heading-id'],
];
/** What runs on threads of its own. */
const WORKERS = {
  'library/measuring-worker': 'src/adapters/system/measuring-worker.ts',
  'library/backtest-worker': 'src/backtest/backtest-worker.ts',
};
/** Drivers that Knex knows, and nobody has installed for us. */
const ABSENT = ['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'pg-query-stream', 'tedious'];
/** Packages that are CommonJS load Node's own modules by it. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** The entries of the package, each with the source that it is made of: its declarations are those of that source. */
function entriesOf(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pairs = Object.values(exports).flatMap(({ types, default: file }) =>
    types === undefined ? [] : [[types, file]],
  );
  return Object.fromEntries(
    pairs.map(([types, file]) => [nameIn(file, 'dist', '.js'), `src/${nameIn(types, TYPES, '.d.ts')}.ts`]),
  );
}

const nameIn = (path, folder, ending) => path.slice(`./${folder}/`.length, -ending.length);

/** Copies the declarations that those of the entries need. Resolves with the paths of the copies. */
export function declare(root) {
  const found = new Set();
  const follow = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(join(root, 'dist', `${name}.d.ts`), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    const copy = join(root, TYPES, `${name}.d.ts`);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, text);
    for (const [, asked] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g))
      follow(normalize(join(dirname(name), asked)));
  };
  for (const source of Object.values(entriesOf(root))) follow(source.slice('src/'.length, -'.ts'.length));
  return [...found].map((name) => join(TYPES, `${name}.d.ts`));
}

/** Writes the bundle with its source maps and the licences of what is in it. Resolves with the paths of its files. */
export async function bundle(root) {
  const program = { 'server/program/program': 'src/server/program/program.ts' };
  const metafile = await bundlePrograms(root, { ...program, ...entriesOf(root), ...WORKERS }, 'dist', {
    // As deep as the modules that look for files beside dist/.
    chunkNames: 'server/program/[name]-[hash]',
  });
  const licences = join(FOLDER, 'licences.txt');
  mkdirSync(join(root, FOLDER), { recursive: true });
  writeFileSync(join(root, licences), licencesOf(root, Object.values(metafile.outputs)));
  return [...Object.keys(metafile.outputs), licences];
}

/**
 * Bundles programs of the server into a folder, with their source maps. Resolves with what esbuild says of the files. Without
 * indentation the files are 2 MB smaller; names stay, and lines are short enough for a stack.
 */
export async function bundlePrograms(root, entryPoints, outdir, options = {}) {
  const { metafile } = await build({
    entryPoints,
    outdir,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    sourcemap: 'linked',
    sourcesContent: false,
    chunkNames: '[name]-[hash]',
    external: [...APART, ...ABSENT],
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'warning',
    ...options,
    plugins: [LIGHTER, SHORTER, ...(options.plugins ?? [])],
  });
  return metafile;
}

/** In place of packages of which a part is used, because each start would load the rest: a sixth of a start. */
const IN_PLACE = {
  // Without fetch, WebSocket and mocks.
  undici: `
    import Agent from 'undici/lib/dispatcher/agent.js';
    import Client from 'undici/lib/dispatcher/client.js';
    import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
    import Pool from 'undici/lib/dispatcher/pool.js';
    import api from 'undici/lib/api/index.js';
    import buildConnector from 'undici/lib/core/connect.js';
    Object.assign(Dispatcher.prototype, api);
    export { Agent, Client, Pool, buildConnector };`,
  // HTTP/2, which undici uses where it is asked to.
  './client-h2.js': "module.exports = () => { throw new Error('HTTP/2 is not in this bundle.'); };",
  // Tracing, for examples of measurements, which nobody asks prom-client for.
  '@opentelemetry/api': 'module.exports = {};',
};
/** Of these, one copy is enough: types of files, of which Koa would load two lists. */
const ONE_COPY = /^mime-types$/;

/** Bundles less of packages. */
const LIGHTER = {
  name: 'lighter',
  setup: ({ initialOptions: { absWorkingDir: resolveDir }, onResolve, onLoad, resolve }) => {
    onResolve({ filter: /^(undici|\.\/client-h2\.js|@opentelemetry\/api)$/ }, ({ path }) => ({
      path,
      namespace: 'lighter',
    }));
    onLoad({ filter: /./, namespace: 'lighter' }, ({ path }) => ({ contents: IN_PLACE[path], resolveDir }));
    onResolve({ filter: ONE_COPY }, ({ path, kind, pluginData }) =>
      pluginData === ONE_COPY ? undefined : resolve(path, { kind, resolveDir, pluginData: ONE_COPY }),
    );
  },
};

/** What a package makes when it is loaded, and needs for texts beyond ASCII alone: as long as a third of a start of Node. */
const ON_DEMAND = {
  'string-width/index.js': [
    [
      'const segmenter = new Intl.Segmenter();',
      'const segmenter = {segment: text => new Intl.Segmenter().segment(text)};',
    ],
    [
      'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
      'const rgiEmojiRegex = {test: text => /^\\p{RGI_Emoji}$/v.test(text)};',
    ],
  ],
};

/** The source of a package, which makes on demand what it can. */
function sourceOf(path) {
  const [, changes = []] = Object.entries(ON_DEMAND).find(([end]) => path.endsWith(`/node_modules/${end}`)) ?? [];
  return changes.reduce(
    (text, [found, instead]) => {
      if (!text.includes(found)) throw new Error(`${path} has no longer the line ${found}`);
      return text.replace(found, () => instead);
    },
    readFileSync(path, 'utf8'),
  );
}

/** Shortens the local names of packages, which nobody reads in a stack: a tenth of all files. */
const SHORTER = {
  name: 'shorter',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => {
      const { code: contents } = await transform(sourceOf(path), { minifyIdentifiers: true });
      return { contents, loader: 'js' };
    });
  },
};

/** The packages in a bundle, each with its licence as it came. */
export function licencesOf(root, outputs) {
  const inputs = outputs.flatMap(({ inputs }) => Object.keys(inputs));
  const packages = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(packages)].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(root, path, file), 'utf8');
    return `${name} ${version}, ${license}\n\n${text.trim()}\n`;
  });
  return texts.join('\n----\n\n');
}
