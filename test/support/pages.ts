import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from './build.js';

/** A part of a page between fences: its language, and what is in it. */
export interface Fenced {
  readonly language: string;
  readonly text: string;
}

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : []));

/** README.md, the pages of docs/, and what lies beside adapters, by their path. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    ...['docs', 'src/adapters/kalshi', 'src/adapters/polymarket', 'src/adapters/tape'].flatMap(pagesIn),
  ].map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);

/** What is between the fences of a page, in order. */
export function fenced(path: string, ...languages: readonly string[]): readonly Fenced[] {
  const blocks = [...(PAGES.get(path) ?? '').matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const all = blocks.map(([, language = '', text = '']) => ({ language, text }));
  return all.filter(({ language }) => languages.includes(language));
}

/** Every link of a page to a file here: the path of the file, and the part of it that is meant, if any. */
export function linksOf(path: string): readonly { readonly file: string; readonly anchor: string }[] {
  const links = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      return { file: file === '' ? path : normalize(join(dirname(path), file)), anchor };
    });
}

/** The names by which the parts of a page can be linked to. */
export function anchorsOf(path: string): readonly string[] {
  const titles = [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const proseOf = (path: string): string => (PAGES.get(path) ?? '').replace(/^```.*?^```$/gms, '');
