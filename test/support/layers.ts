import { importsOf, type Source } from './sources.js';

/** The permitted imports of the files of one folder. */
export interface Layer {
  /** Folders of this project, or `*` for all of them. */
  readonly folders: readonly string[];
  /** Folders from which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Packages and Node's own modules, or `*` for all of them. */
  readonly packages?: readonly string[];
  /** Packages from which only types may be imported. */
  readonly typesOfPackages?: readonly string[];
}

const RULES = ['src/core', 'src/ports'];
const SETTINGS = 'src/settings';
const TRANSPORT = 'src/adapters/transport';
const WIRE = [...RULES, TRANSPORT];
/** What the adapters of venues share. */
const VENUE = 'src/adapters/venue';
/** The permitted imports of a venue over a wire. */
const REMOTE = [...WIRE, VENUE];
const [HTTP, WEBSOCKET, MARKET_DATA, EXECUTION, SIGNING, SIGNERS] = [
  ...['http', 'websocket', 'market-data', 'execution', 'signing', 'signing/signers'].map(
    (folder) => `src/adapters/polymarket/${folder}`,
  ),
] as [string, string, string, string, string, string];

const KALSHI = ['', '/http', '/websocket', '/market-data', '/execution'].map(
  (folder) => `src/adapters/kalshi${folder}`,
);

/** The direction of imports. A folder that has no row of its own belongs to the nearest one above it. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  'src/core': { folders: [], typesOf: ['src/ports'] },
  'src/core/usecases': { folders: ['src/core'], typesOf: ['src/ports'] },
  'src/ports': { folders: [], typesOf: ['src/core'] },
  'src/core.ts': { folders: ['src/core', 'src/core/usecases'], typesOf: ['src/ports'] },
  'src/stakeport': {
    folders: [
      ...RULES,
      'src/core/usecases',
      ...['memory', 'paper', 'market-data', 'system'].map((name) => `src/adapters/${name}`),
    ],
  },
  'src/index.ts': { folders: ['src/core', 'src/core.ts', 'src/stakeport'] },
  'src/memory.ts': { folders: ['memory', 'paper', 'market-data', 'system'].map((name) => `src/adapters/${name}`) },
  'src/http.ts': { folders: ['src/adapters/http', 'src/adapters/auth'] },
  'src/webhooks.ts': { folders: ['webhooks', 'telegram', 'ntfy'].map((name) => `src/adapters/${name}`) },
  'src/testing': {
    folders: [...RULES, 'src/core/usecases'],
    packages: ['node:assert/strict', 'node:crypto'],
  },
  'src/adapters/memory': { folders: RULES },
  'src/adapters/paper': { folders: RULES },
  'src/adapters/transport': {
    folders: [],
    packages: [
      'undici',
      'ws',
      'cockatiel',
      'rate-limiter-flexible',
      'ipaddr.js',
      'node:dns/promises',
      'node:net',
      'node:perf_hooks',
      'node:timers/promises',
    ],
  },
  [VENUE]: {
    folders: WIRE,
    packages: ['lru-cache', 'node:fs', 'node:fs/promises', 'node:perf_hooks', 'valibot'],
  },
  'src/adapters/telegram': { folders: WIRE },
  'src/adapters/ntfy': { folders: WIRE },
  'src/settings': { folders: WIRE, packages: ['valibot'] },
  'src/adapters/polymarket': {
    folders: [...REMOTE, SETTINGS, HTTP, MARKET_DATA, EXECUTION, SIGNING, SIGNERS],
    packages: ['valibot'],
  },
  [HTTP]: { folders: ['src/core', TRANSPORT, VENUE, SIGNING], packages: ['valibot'] },
  [WEBSOCKET]: { folders: ['src/core', TRANSPORT, VENUE, HTTP], typesOf: [SIGNING], packages: ['valibot'] },
  [MARKET_DATA]: { folders: [...REMOTE, HTTP, WEBSOCKET], packages: ['lru-cache'] },
  [EXECUTION]: { folders: [...REMOTE, HTTP, WEBSOCKET, SIGNING], packages: ['cockatiel', 'valibot'] },
  [SIGNING]: { folders: ['src/core'], packages: ['@noble/hashes', 'tiny-secp256k1', 'node:crypto'] },
  [SIGNERS]: { folders: ['src/core', VENUE, SIGNING] },
  'src/adapters/kalshi': {
    folders: [...WIRE, SETTINGS, ...KALSHI],
    packages: ['node:crypto', 'node:timers/promises', 'valibot'],
  },
  'src/adapters/kalshi/http': { folders: [...REMOTE], packages: ['valibot', 'node:crypto'] },
  'src/adapters/kalshi/websocket': {
    folders: ['src/core', TRANSPORT, VENUE, 'src/adapters/kalshi/http'],
    packages: ['valibot'],
  },
  'src/adapters/kalshi/market-data': {
    folders: [...REMOTE, ...KALSHI.filter((folder) => !folder.endsWith('/execution'))],
    packages: ['lru-cache', 'valibot'],
  },
  'src/adapters/kalshi/execution': {
    folders: [...REMOTE, ...KALSHI.filter((folder) => !folder.endsWith('/market-data'))],
    packages: ['cockatiel', 'node:crypto', 'valibot'],
  },
  'src/adapters/webhooks': { folders: WIRE, packages: ['node:crypto'] },
  'src/adapters/tape': {
    folders: RULES,
    packages: [
      'valibot',
      'node:async_hooks',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:stream',
      'node:stream/promises',
      'node:timers/promises',
      'node:zlib',
    ],
  },
  'src/adapters/import': {
    folders: [...RULES, 'src/adapters/tape', 'src/adapters/polymarket', 'src/adapters/kalshi'],
    packages: [
      'valibot',
      'hyparquet',
      'hyparquet-compressors',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:zlib',
    ],
  },
  'src/adapters/market-data': { folders: RULES },
  'src/adapters/system': {
    folders: ['src/core'],
    typesOf: ['src/ports'],
    packages: ['node:crypto', 'node:fs', 'node:module', 'node:path', 'node:worker_threads'],
  },
  'src/adapters/auth': { folders: WIRE, packages: ['jose', 'valibot', 'node:crypto'] },
  'src/adapters/sql': {
    folders: RULES,
    packages: [
      'knex',
      'sqlite3',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:timers/promises',
      'node:url',
    ],
    typesOfPackages: ['pg'],
  },
  'src/adapters/http': {
    folders: [...RULES, 'src/core/usecases'],
    packages: [
      'koa',
      '@koa/cors',
      '@koa/router',
      'valibot',
      '@valibot/to-json-schema',
      'prom-client',
      'marked',
      'marked-gfm-heading-id',
      'rate-limiter-flexible',
      'node:crypto',
      'node:events',
      'node:fs/promises',
      'node:http',
      'node:net',
      'node:path',
      'node:timers/promises',
      'node:util',
      'node:zlib',
    ],
    typesOfPackages: ['node:stream'],
  },
  'src/backtest': {
    folders: [
      ...RULES,
      'src/stakeport',
      'src/report',
      ...['http', 'memory', 'system', 'tape'].map((name) => `src/adapters/${name}`),
    ],
    packages: [
      'valibot',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:path',
      'node:stream',
      'node:stream/promises',
      'node:worker_threads',
      'node:zlib',
    ],
  },
  'src/backtest/index.ts': { folders: ['src/core', 'src/backtest', 'src/sweep'] },
  'src/sweep': {
    folders: [
      'src/core',
      'src/backtest',
      'src/report',
      ...['http', 'system', 'tape'].map((name) => `src/adapters/${name}`),
    ],
    packages: ['valibot', 'node:fs/promises', 'node:path'],
  },
  'src/report': {
    folders: ['src/core'],
    typesOf: ['src/backtest', 'src/sweep'],
    packages: ['preact-render-to-string'],
    typesOfPackages: ['preact'],
  },
  'src/ui': {
    folders: ['src/core', 'src/report'],
    typesOf: ['src/adapters/http'],
    packages: ['preact', 'eventsource-parser'],
  },
  'src/cli': { folders: ['*'], packages: ['commander', 'node:events', 'node:fs/promises'] },
  'src/cli/api': {
    folders: ['src/core', 'src/cli', 'src/server', 'src/adapters/system', TRANSPORT],
    typesOf: ['src/adapters/http'],
    packages: [
      'commander',
      'undici',
      'valibot',
      'string-width',
      'eventsource-parser',
      'node:fs',
      'node:os',
      'node:path',
      'node:readline/promises',
      'node:stream',
      'node:stream/promises',
      'node:util',
      'node:timers/promises',
    ],
  },
  'src/server': { folders: ['*'], packages: ['*'] },
};

/**
 * Folders that other folders may import only through their doors: `index.ts` for programs, and for the server the file that
 * is named like the folder, which loads the rest of a venue when it is used.
 */
const VENUES = ['src/adapters/polymarket', 'src/adapters/kalshi'];

const isDoor = (venue: string, target: string): boolean =>
  [`${venue}/index.ts`, `${venue}/${venue.split('/').at(-1)}.ts`].includes(target);

/** Imports that reach into a venue's folder from outside, past its doors, as `path imports target`. */
export function importsPastDoors(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const entered = VENUES.filter((venue) => !source.path.startsWith(`${venue}/`));
    const isPast = (target: string) =>
      entered.some((venue) => target.startsWith(`${venue}/`) && !isDoor(venue, target));
    return importsOf(source)
      .filter(({ target }) => isPast(target))
      .map(({ target }) => `${source.path} imports ${target}`);
  });
}

/** The row that a path belongs to: the longest that contains it. */
export function layerOf(path: string): string | undefined {
  const rows = Object.keys(LAYERS).filter((row) => path === row || path.startsWith(`${row}/`));
  return rows.sort((a, b) => b.length - a.length)[0];
}

/** Every import that the table does not allow, each as `path imports target`. */
export function forbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const row = layerOf(source.path);
    const layer = row === undefined ? undefined : LAYERS[row];
    if (row === undefined || layer === undefined) return [`${source.path} belongs to no row`];
    const forbidden = importsOf(source).filter(({ target, typeOnly }) => !isAllowed(row, layer, target, typeOnly));
    return forbidden.map(({ target }) => `${source.path} imports ${target}`);
  });
}

/**
 * What a row allows and no file of it imports, each as `row allows name`. A package of which only types are imported belongs
 * in `typesOfPackages`.
 */
export function unusedPermissions(
  sources: readonly Source[],
  layers: Readonly<Record<string, Layer>> = LAYERS,
): string[] {
  return Object.entries(layers).flatMap(([row, { folders, packages = [], typesOf = [], typesOfPackages = [] }]) => {
    const imports = sources.filter(({ path }) => layerOf(path) === row).flatMap(importsOf);
    const any = new Set(imports.map(({ target }) => nameOf(target)));
    const values = new Set(imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => nameOf(target)));
    const isUnused = (name: string) => name !== '*' && !any.has(name);
    const unused = [...folders, ...typesOf, ...typesOfPackages].filter(isUnused);
    return [...unused, ...packages.filter((name) => name !== '*' && !values.has(name))].map(
      (name) => `${row} allows ${name}`,
    );
  });
}

/** As the table names what is imported. */
function nameOf(target: string): string {
  if (target.startsWith('src/')) return layerOf(target) ?? target;
  return target.startsWith('node:') ? target : packageOf(target);
}

function isAllowed(row: string, layer: Layer, target: string, typeOnly: boolean): boolean {
  const name = nameOf(target);
  if (target.startsWith('src/'))
    return name === row || admits(layer.folders, name) || (typeOnly && admits(layer.typesOf, name));
  return admits(layer.packages, name) || (typeOnly && admits(layer.typesOfPackages, name));
}

function admits(list: readonly string[] = [], name: string): boolean {
  return list.includes(name) || list.includes('*');
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
