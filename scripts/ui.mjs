// Bundles the dashboard, src/ui, into dist/ui: hashed names, each file also compressed, and the licences of what is in it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { licencesOf } from './bundle.mjs';

const FROM = 'src/ui';
const TO = 'dist/ui';
const PREACT = createRequire(import.meta.url).resolve('preact');
const MOST_BYTES = 250 * 1024;
const MOST_GZIPPED = 100_000;
const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** Writes the dashboard. Resolves with the paths of its files. @throws when it is larger than a page may be */
export async function bundleUi(root) {
  const { outputFiles, metafile } = await build({
    entryPoints: { app: `${FROM}/main.tsx` },
    outdir: TO,
    absWorkingDir: root,
    bundle: true,
    minify: true,
    charset: 'utf8',
    // Calls of `h` are shorter than those of the JSX runtime, which name the children.
    tsconfigRaw: { compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' } },
    inject: [PREACT],
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    entryNames: '[name]-[hash]',
    metafile: true,
    plugins: [limitNames(root)],
    legalComments: 'none',
    logLevel: 'warning',
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.split('/').at(-1), Buffer.from(contents)]));
  const icon = readFileSync(join(root, FROM, 'icon.svg'));
  files.set(`icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8)}.svg`, icon);
  const nameOf = (ending) => [...files.keys()].find((name) => name.endsWith(ending));
  const html = readFileSync(join(root, FROM, 'index.html'), 'utf8')
    .replace('{script}', nameOf('.js'))
    .replace('{style}', nameOf('.css'))
    .replace('{icon}', nameOf('.svg'));
  files.set('index.html', Buffer.from(html));
  checkSize([...files.values()]);
  files.set('LICENSES.txt', Buffer.from(licencesOf(root, Object.values(metafile.outputs))));
  return written(root, files);
}

/** What the page shows of a limit; the rest of the table is the texts of documents and refusals. */
const SHOWN_OF_LIMITS = ['kind', 'shown', 'label', 'overview'];

/** Has the page's table of limits hold no more than that. It is made from the compiled one. */
const limitNames = (root) => ({
  name: 'limit-names',
  setup({ onLoad }) {
    onLoad({ filter: /core\/limits\/limits\.ts$/ }, async () => {
      const { LIMITS } = await import(pathToFileURL(join(root, 'dist/core/limits/limits.js')).href);
      const shown = Object.entries(LIMITS).map(([name, limit]) => [
        name,
        Object.fromEntries(SHOWN_OF_LIMITS.filter((key) => key in limit).map((key) => [key, limit[key]])),
      ]);
      const table = JSON.stringify(Object.fromEntries(shown));
      return { contents: `export const LIMITS = ${table};\nexport const LIMIT_NAMES = Object.keys(LIMITS);\n` };
    });
  },
});

function checkSize(contents) {
  const bytes = contents.reduce((sum, one) => sum + one.length, 0);
  const gzipped = contents.reduce((sum, one) => sum + gzipSync(one, { level: 9 }).length, 0);
  if (bytes <= MOST_BYTES && gzipped <= MOST_GZIPPED) return;
  throw new Error(
    `The dashboard has ${bytes} bytes, ${gzipped} gzipped; at most ${MOST_BYTES} and ${MOST_GZIPPED} are allowed.`,
  );
}

function written(root, files) {
  rmSync(join(root, TO), { recursive: true, force: true });
  mkdirSync(join(root, TO), { recursive: true });
  const paths = [];
  const write = (name, contents) => {
    writeFileSync(join(root, TO, name), contents);
    paths.push(`${TO}/${name}`);
  };
  for (const [name, contents] of files) {
    write(name, contents);
    write(`${name}.br`, brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
    write(`${name}.gz`, gzipSync(contents, { level: 9 }));
  }
  write(
    'files.json',
    JSON.stringify(Object.fromEntries([...files.keys()].map((name) => [name, TYPES[name.split('.').at(-1)]]))),
  );
  return paths;
}
