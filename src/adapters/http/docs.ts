import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ORDER_REFUSALS } from '../../core/refusals/order-refusals.js';
import type { AppRouter } from './app-router.js';
import { NOT_FOUND } from './errors.js';
import { type GuidePage, guidePageNamed, guidePath } from './guide-pages.js';
import { PROBLEMS, Problem, type ProblemName } from './problem.js';
import type { Route } from './route.js';
import { StaticFiles, sendStatic, staticFile } from './static-file.js';

/** The parts of the documentation. */
export interface DocsParts {
  readonly routes: readonly Route[];
  readonly version: string;
  /** Whether callers are development users. */
  readonly dev: boolean;
  /** The folder with the files of Swagger UI. */
  readonly swaggerUi: string;
  /** The folder with README.md and docs/, of which the guide is made. */
  readonly guide: string;
}

const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};
const HTML = 'text/html; charset=utf-8';
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const START = `window.addEventListener('load', () => {
  window.SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });
});
`;

const REFERENCE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>stakeport: the interface</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="reference"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;

/** `/openapi.json`, the reference at `/docs`, the guide at `/docs/guide`, a page for each problem and one for refused orders, all from this host. */
export function docsRoutes(router: AppRouter, parts: DocsParts): void {
  let document: Promise<string> | undefined;
  const get = (path: string, type: string, body: (name: string) => unknown, policy = PAGE_POLICY) => {
    router.get(path, async (ctx, [parameter = '']) => {
      ctx.state.route = path;
      const found = await body(parameter);
      ctx.set('content-security-policy', policy);
      ctx.type = type;
      ctx.body = found;
    });
  };
  get('/openapi.json', 'application/json; charset=utf-8', () => {
    document ??= documentOf(parts);
    return document;
  });
  get('/docs', HTML, () => REFERENCE, DOCS_POLICY);
  get('/docs/start.js', 'text/javascript; charset=utf-8', () => START);
  for (const [name, type] of Object.entries(ASSETS))
    fileRoute(router, `/docs/${name}`, type, join(parts.swaggerUi, name));
  guideRoutes(router, parts.guide);
  get('/problems', HTML, () => page('Problems', `<ul>${Object.keys(PROBLEMS).map(item).join('')}</ul>`));
  get('/problems/{name}', HTML, (name) => problemPage(name));
  get('/refusals', HTML, () => page('Refused orders', refusalList()));
}

/** Loaded when it is asked for: a start does not wait for it. */
async function documentOf({ routes, version, dev }: DocsParts): Promise<string> {
  const { openApi } = await import('./openapi.js');
  return JSON.stringify(openApi(routes, version, dev));
}

function fileRoute(router: AppRouter, path: string, type: string, file: string): void {
  const files = new StaticFiles();
  router.get(path, async (ctx) => {
    ctx.state.route = path;
    sendStatic(ctx, await files.get(path, async () => staticFile(type, await unpacked(file))), PAGE_POLICY);
  });
}

/** A file as it is, or of the gzip beside it: the largest is a fourth of the package otherwise. */
async function unpacked(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    return promisify(gunzip)(await readFile(`${file}.gz`));
  }
}

const item = (name: string) => `<li><a href="/problems/${name}">${name}</a></li>`;

function problemPage(name: string): string {
  if (!Object.hasOwn(PROBLEMS, name)) throw new Problem('not-found', NOT_FOUND);
  const [status, title, help] = PROBLEMS[name as ProblemName];
  return page(
    title,
    `<p>Status ${status}, type <code>/problems/${name}</code></p><p>${marked(help)}</p><p><a href="/problems">All problems</a></p>`,
  );
}

function refusalList(): string {
  const items = Object.entries(ORDER_REFUSALS).map(
    ([code, [by, help]]) => `<dt><code>${code}</code> (${by})</dt><dd>${marked(help)}</dd>`,
  );
  return `<p>The <code>error</code> of an order begins with one of these.</p><dl>${items.join('')}</dl>`;
}

const marked = (words: string): string =>
  words
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/`([^`]*)`/g, '<code>$1</code>');

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:0 .2em}</style></head>
<body><h1>${title}</h1>${content}</body>
</html>
`;
}

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The guide at `/docs/guide`: the pages of README.md and docs/ in `folder`, with their images. A name that is neither in the
 * table of its pages nor a file of docs/images is never searched for on disk.
 */
function guideRoutes(router: AppRouter, folder: string): void {
  const files = new StaticFiles();
  const show = (path: string, read: (name: string) => Promise<Buffer | null>, type: string) => {
    router.get(path, async (ctx, [name = '']) => {
      ctx.state.route = path;
      const bytes = () => read(name).then((found) => staticFile(type, found ?? missing()));
      sendStatic(ctx, await files.get(`${path} ${name}`, bytes), POLICY);
    });
  };
  const page = async (name: string) => pageFrom(folder, guidePageNamed(name));
  show(guidePath(''), page, 'text/html; charset=utf-8');
  show(guidePath('{name}'), page, 'text/html; charset=utf-8');
  show('/docs/guide.css', style, 'text/css; charset=utf-8');
  show('/docs/images/{name}', (name) => imageFrom(join(folder, 'docs', 'images'), name), 'image/png');
}

async function pageFrom(folder: string, page: GuidePage | undefined): Promise<Buffer | null> {
  if (page === undefined) return null;
  const { guideHtml } = await import('./guide-html.js');
  return Buffer.from(guideHtml(page, await readFile(join(folder, page.file), 'utf8')));
}

async function style(): Promise<Buffer> {
  const { GUIDE_STYLE } = await import('./guide-style.js');
  return Buffer.from(GUIDE_STYLE);
}

async function imageFrom(folder: string, name: string): Promise<Buffer | null> {
  const known: readonly string[] = await readdir(folder).catch(() => []);
  return known.includes(name) ? readFile(join(folder, name)) : null;
}

function missing(): never {
  throw new Problem('not-found', NOT_FOUND);
}
