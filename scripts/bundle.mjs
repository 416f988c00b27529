// Puts one bundle of src/server/program/program.ts in the place of what the compiler made of it: a start then reads some
// thirty files instead of a thousand. Each part that is imported on demand is a file of its own beside it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/server/program';
/** Native, with files of their own, or loaded for one database alone. */
const APART = ['sqlite3', 'tiny-secp256k1', 'pg'];
/** Drivers that Knex knows, and nobody has installed for us. */
const ABSENT = ['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'pg-query-stream', 'tedious'];
/** Packages that are CommonJS load Node's own modules by it. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** Writes the bundle with its source maps and the licences of what is in it. Resolves with the paths of its files. */
export async function bundle(root) {
  const metafile = await bundlePrograms(root, ['src/server/program/program.ts'], FOLDER);
  const licences = join(FOLDER, 'licences.txt');
  mkdirSync(join(root, FOLDER), { recursive: true });
  writeFileSync(join(root, licences), licencesOf(root, Object.values(metafile.outputs)));
  return [...Object.keys(metafile.outputs), licences];
}

/**
 * Bundles programs of the server into a folder, with their source maps. Resolves with what esbuild says of the files. Without
 * indentation the files are 2 MB smaller; names stay, and lines are short enough for a stack.
 */
export async function bundlePrograms(root, entryPoints, outdir, plugins = []) {
  const { metafile } = await build({
    entryPoints,
    outdir,
    plugins,
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
  });
  return metafile;
}

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
