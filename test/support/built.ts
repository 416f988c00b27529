import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Plugin } from 'vitest/config';
import { ROOT } from './build.js';

/** What the compiler made of a source; null for the page, and for the program, of which a bundle is made. */
function builtOf(source: string): string | null {
  const path = relative(resolve(ROOT, 'src'), source);
  if (/^(\.\.|ui\/|server\/program\/)/.test(path)) return null;
  const built = resolve(ROOT, 'dist', path);
  return existsSync(built) ? built : null;
}

/**
 * With `TESTED=dist`, as `npm test` sets it, tests import what was built of `src/`. Node loads that by itself, where vitest transforms each
 * module, loads it anew in each process, and looks up each imported name in an object: a process that loads all of it has 1.5 s less to do.
 */
export const BUILT: Plugin[] =
  process.env['TESTED'] === 'dist'
    ? [
        {
          name: 'built',
          enforce: 'pre',
          resolveId: (asked, importer) =>
            asked.startsWith('.') && importer !== undefined ? builtOf(resolve(dirname(importer), asked)) : null,
        },
      ]
    : [];
