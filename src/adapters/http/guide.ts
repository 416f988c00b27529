import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppRouter } from './app-router.js';
import { NOT_FOUND } from './errors.js';
import { type GuidePage, guidePageNamed, guidePath } from './guide-pages.js';
import { Problem } from './problem.js';
import { StaticFiles, sendStatic, staticFile } from './static-file.js';

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The guide at `/docs/guide`: the pages of README.md and docs/ in `folder`, with their images. A name that is neither in the
 * table of its pages nor a file of docs/images is looked for nowhere.
 */
export function guideRoutes(router: AppRouter, folder: string): void {
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
