import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from './app-context.js';
import type { AppRouter } from './app-router.js';
import { NOT_FOUND } from './errors.js';
import { credentialsIn } from './guard.js';
import { Problem } from './problem.js';
import type { Route } from './route.js';
import { type HaltHost, type HaltUseCases, haltRoutes } from './ui-halt.js';
import { type FormTarget, protectPage } from './ui-headers.js';

/** The parts of the dashboard. */
export interface UiParts extends HaltUseCases {
  /** The folder with its built files. */
  readonly folder: string;
  /** Whether orders may move real money on this server. */
  readonly isLive: boolean;
  /** Whether what is not paper is the play money of a venue's demo. */
  readonly isPlayMoney: boolean;
  /** Whether the dashboard offers acts that risk real money. Halting is always offered. */
  readonly mayTrade: boolean;
  /** The time zone whose midnight begins a day. */
  readonly dayZone: string;
}

/** What the dashboard takes from the rest of the app. */
export interface UiHost extends HaltHost {
  /** Whether callers are development users, who need no login. */
  readonly dev: boolean;
  readonly version: string;
  readonly routes: readonly Pick<Route, 'path' | 'method'>[];
}

/** The addresses of its pages; each is the same document. */
export const UI_PAGES = [
  'overview',
  'positions',
  'orders',
  'strategies',
  'markets',
  'signals',
  'approvals',
  'results',
  'system',
  'login',
] as const;

/** Pages whose things have addresses of their own below that of the page, such as `/ui/orders/{id}`. */
const PAGES_OF_THINGS = ['orders', 'strategies', 'markets', 'approvals'] as const;

const ROOT = '/ui';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The dashboard under `/ui`. Its files are read when the first of them is asked for, and then stay in memory. */
export function uiRoutes(router: AppRouter, parts: UiParts, host: UiHost): void {
  let held: Promise<UiFiles> | undefined;
  const files = () => {
    held ??= readUiFiles(parts.folder).catch((error) => {
      held = undefined;
      throw error;
    });
    return held;
  };
  for (const path of [ROOT, `${ROOT}/`])
    router.get(path, (ctx) => {
      ctx.state.route = ROOT;
      ctx.redirect(`${ROOT}/${UI_PAGES[0]}`);
    });
  const page = (path: string, form: FormTarget = 'none') =>
    router.get(path, async (ctx) => {
      ctx.state.route = path;
      protectPage(ctx, form);
      sendFile(ctx, await files(), INDEX, 'no-cache');
    });
  for (const name of UI_PAGES) page(`${ROOT}/${name}`, name === 'login' ? 'self' : 'none');
  for (const name of PAGES_OF_THINGS) page(`${ROOT}/${name}/*address`);
  const assets = `${ROOT}/assets/{name}`;
  router.get(assets, async (ctx, [name = '']) => {
    ctx.state.route = assets;
    if (name === INDEX) throw new Problem('not-found', NOT_FOUND);
    protectPage(ctx, 'none');
    sendFile(ctx, await files(), name, FOR_EVER);
  });
  settingsRoute(router, parts, host);
  haltRoutes(router, parts, host, async () => {
    const names = [...(await files()).keys()];
    const nameOf = (ending: string) => names.find((name) => name.endsWith(ending)) ?? '';
    return { style: nameOf('.css'), icon: nameOf('.svg') };
  });
  const others = `${ROOT}/*address`;
  router.get(others, async (ctx) => {
    ctx.state.route = others;
    if (!takesPages(ctx)) throw new Problem('not-found', NOT_FOUND);
    protectPage(ctx, 'none');
    sendFile(ctx, await files(), INDEX, 'no-store');
    ctx.status = 404;
  });
}

/** Whether who asks reads pages: browsers name them, programs take anything. */
export const takesPages = (ctx: AppContext): boolean => ctx.get('accept').includes('text/html');

/** What the pages have to know before they ask anything of the API; nothing of it is secret. */
function settingsRoute(router: AppRouter, parts: UiParts, { dev, version, routes, authenticator }: UiHost): void {
  const { isLive, isPlayMoney, mayTrade, dayZone } = parts;
  const path = `${ROOT}/settings.json`;
  const has = (at: string) => routes.some((route) => route.path === at);
  const settings = {
    version,
    needs_login: !dev,
    live: isLive,
    play_money: isPlayMoney,
    ui_trading: mayTrade,
    day_zone: dayZone,
    has_keys: has('/v1/admin/keys'),
    has_webhooks: has('/v1/webhooks'),
    has_sessions: routes.some(({ path: at, method }) => at === '/v1/session' && method === 'POST'),
  };
  router.get(path, async (ctx) => {
    ctx.state.route = path;
    protectPage(ctx, 'none');
    ctx.set('content-type', 'application/json; charset=utf-8');
    const { kind } = await authenticator.authenticate(credentialsIn(ctx.req));
    ctx.body = JSON.stringify({ ...settings, is_known: kind === 'principal' });
  });
}

function sendFile(ctx: AppContext, files: UiFiles, name: string, caching: string): void {
  const file = files.get(name);
  if (file === undefined) throw new Problem('not-found', NOT_FOUND);
  const { encoding, bytes } = encodedFor(file, ctx.get('accept-encoding'));
  ctx.set('cache-control', caching);
  ctx.vary('accept-encoding');
  ctx.set('etag', encoding === null ? `"${file.tag}"` : `"${file.tag}-${encoding}"`);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== null) ctx.set('content-encoding', encoding);
  ctx.type = file.type;
  ctx.body = bytes;
}

/** A file of the dashboard, in memory, as it is and compressed. */
export interface UiFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly tag: string;
  readonly encodings: ReadonlyMap<Encoding, Buffer>;
}

/** All files of the dashboard, by their names. */
export type UiFiles = ReadonlyMap<string, UiFile>;

/** The best first. */
const ENCODINGS = ['br', 'gzip'] as const;
const ENDINGS = { br: '.br', gzip: '.gz' } as const;

type Encoding = (typeof ENCODINGS)[number];

/** The file that is sent for every page of the dashboard. */
const INDEX = 'index.html';

/** Reads the files that the build lists in `files.json`, with their media types: nothing else is ever served. */
async function readUiFiles(folder: string): Promise<UiFiles> {
  const listed: Record<string, string> = JSON.parse(await readFile(join(folder, 'files.json'), 'utf8'));
  const files = await Promise.all(
    Object.entries(listed).map(async ([name, type]) => [name, await readUiFile(join(folder, name), type)] as const),
  );
  return new Map(files);
}

async function readUiFile(file: string, type: string): Promise<UiFile> {
  const bytes = await readFile(file);
  const tag = createHash('sha256').update(bytes).digest('base64url');
  const packed = await Promise.all(
    ENCODINGS.map(async (encoding) => [encoding, await readFile(`${file}${ENDINGS[encoding]}`)] as const),
  );
  return { type, bytes, tag, encodings: new Map(packed) };
}

/** The bytes to send to a client with this `Accept-Encoding`: the smallest form that it takes. */
function encodedFor(
  { bytes, encodings }: UiFile,
  accepted: string,
): { readonly encoding: Encoding | null; readonly bytes: Buffer } {
  const taken = ENCODINGS.find((encoding) => accepts(accepted, encoding));
  const packed = taken === undefined ? undefined : encodings.get(taken);
  return taken === undefined || packed === undefined ? { encoding: null, bytes } : { encoding: taken, bytes: packed };
}

/** A coding that is not named is not sent, `*` or not: every client that takes one names it. */
function accepts(accepted: string, encoding: Encoding): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(\.0{0,3})?$/.test(text));
  });
}
