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
/** The permitted imports of a venue over a wire. */
const WIRE = [...RULES, 'src/adapters/transport'];
/** The permitted imports of a venue's settings. */
const SETTINGS = 'src/settings';
const POLYMARKET = ['http', 'websocket', 'market-data', 'execution', 'signing', 'signing/signers'].map(
  (folder) => `src/adapters/polymarket/${folder}`,
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
  'src/index.ts': { folders: [...RULES, 'src/core.ts', 'src/stakeport'] },
  'src/testing': {
    folders: [...RULES, 'src/core/usecases'],
    packages: ['node:assert', 'node:assert/strict', 'node:crypto'],
  },
  'src/adapters/memory': { folders: RULES },
  'src/adapters/paper': { folders: RULES },
  'src/adapters/transport': {
    folders: RULES,
    packages: ['undici', 'ws', 'cockatiel', 'rate-limiter-flexible', 'node:*'],
  },
  'src/settings': { folders: WIRE, packages: ['valibot', 'node:fs'] },
  'src/adapters/polymarket': {
    folders: [...WIRE, SETTINGS, ...POLYMARKET],
    packages: ['lru-cache', 'valibot', 'node:*'],
  },
  'src/adapters/polymarket/http': {
    folders: [...WIRE, 'src/adapters/polymarket/signing'],
    packages: ['undici', 'cockatiel', 'valibot', 'node:*'],
  },
  'src/adapters/polymarket/websocket': {
    folders: [...WIRE, 'src/adapters/polymarket/http'],
    typesOf: ['src/adapters/polymarket/signing'],
    packages: ['valibot'],
  },
  'src/adapters/polymarket/market-data': {
    folders: [...WIRE, 'src/adapters/polymarket/http', 'src/adapters/polymarket/websocket'],
    packages: ['lru-cache'],
  },
  'src/adapters/polymarket/execution': {
    folders: [
      ...WIRE,
      'src/adapters/polymarket/http',
      'src/adapters/polymarket/websocket',
      'src/adapters/polymarket/signing',
    ],
    packages: ['cockatiel', 'lru-cache', 'valibot'],
  },
  'src/adapters/polymarket/signing': { folders: RULES, packages: ['@noble/hashes', 'tiny-secp256k1', 'node:crypto'] },
  'src/adapters/polymarket/signing/signers': {
    folders: [...RULES, SETTINGS, 'src/adapters/polymarket/signing'],
    packages: ['node:fs', 'node:fs/promises'],
  },
  'src/adapters/tape': { folders: RULES, packages: ['node:*', 'valibot'] },
  'src/adapters/market-data': { folders: RULES },
  'src/adapters/system': { folders: RULES, packages: ['uuid', 'node:crypto'] },
  'src/adapters/auth': { folders: WIRE, packages: ['jose', 'valibot', 'node:crypto', 'node:net'] },
  'src/adapters/sql': { folders: RULES, packages: ['knex', 'sqlite3', 'pg', 'node:*'] },
  'src/adapters/http': {
    folders: [...RULES, 'src/core/usecases'],
    packages: ['koa', '@koa/router', '@koa/cors', 'valibot', '@valibot/to-json-schema', 'prom-client', 'node:*'],
    typesOfPackages: ['pino'],
  },
  'src/cli': { folders: ['*'], packages: ['commander', 'node:*'] },
  'src/server': { folders: ['*'], packages: ['*'] },
};

/** Folders that other folders may import only through their `index.ts`. */
const VENUES = ['src/adapters/polymarket'];

/** Imports of `src/server` and `src/cli` that reach into a venue's folder past its `index.ts`, as `path imports target`. */
export function importsPastDoors(sources: readonly Source[]): string[] {
  const outside = sources.filter(({ path }) => path.startsWith('src/server/') || path.startsWith('src/cli/'));
  return outside.flatMap((source) =>
    importsOf(source)
      .filter(({ target }) => VENUES.some((venue) => target.startsWith(`${venue}/`) && target !== `${venue}/index.ts`))
      .map(({ target }) => `${source.path} imports ${target}`),
  );
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

function isAllowed(row: string, layer: Layer, target: string, typeOnly: boolean): boolean {
  if (target.startsWith('src/')) {
    const folder = layerOf(target) ?? target;
    return folder === row || admits(layer.folders, folder) || (typeOnly && admits(layer.typesOf, folder));
  }
  const name = target.startsWith('node:') ? target : packageOf(target);
  return admits(layer.packages, name) || (typeOnly && admits(layer.typesOfPackages, name));
}

function admits(list: readonly string[] = [], name: string): boolean {
  return list.includes(name) || list.includes('*') || (name.startsWith('node:') && list.includes('node:*'));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
