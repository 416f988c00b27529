// Compiles src/ into dist/, bundles the program with the entries of the package, and the dashboard, and puts the assets of the API
// reference beside them.
// Does nothing when dist/ is current.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const cache = join(dist, '.cache');
const stamp = join(cache, 'inputs.sha256');
const program = join(dist, 'server', 'main.js');
/** What the bundle consists of, as it was made last. */
const bundled = join(cache, 'bundle.json');
const dashboard = join(root, 'src', 'ui');
const tools = ['typescript', 'esbuild', 'swagger-ui-dist', '@types/node', 'preact'];
const assets = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png', 'LICENSE', 'NOTICE'];

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function fingerprint(sources) {
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map((file) =>
    join(root, file),
  );
  const hash = createHash('sha256');
  for (const file of [...sources, ...settings, ...filesIn(import.meta.dirname)].sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function outputsOf(sources) {
  const compiledHere = sources.filter((file) => !file.startsWith(dashboard));
  const stems = compiledHere.map((file) => join(dist, relative(join(root, 'src'), file)).replace(/\.tsx?$/, ''));
  const compiled = stems.flatMap((stem) => ['.js', '.js.map', '.d.ts', '.d.ts.map'].map((ending) => stem + ending));
  const parts = existsSync(bundled) ? JSON.parse(readFileSync(bundled, 'utf8')).map((file) => join(root, file)) : [];
  return new Set([...compiled, ...assets.map((file) => join(dist, 'swagger-ui', packedName(file))), ...parts, bundled]);
}

function isCurrent(inputs, outputs) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs && [...outputs].every((file) => existsSync(file));
}

function compile(outputs) {
  // The compiler trusts its record of what it wrote, so an outdated record must be deleted.
  if (![...outputs].every((file) => existsSync(file))) rmSync(cache, { recursive: true, force: true });
  rmSync(stamp, { force: true });
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const args = [tsc, '-p', join(root, 'tsconfig.build.json')];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** The one that is large is kept packed, as browsers take it. */
const packedName = (file) => (file.endsWith('.js') ? `${file}.gz` : file);

function copyAssets() {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const to = join(dist, 'swagger-ui');
  mkdirSync(to, { recursive: true });
  for (const file of assets) {
    if (packedName(file) === file) copyFileSync(join(from, file), join(to, file));
    else writeFileSync(join(to, packedName(file)), gzipSync(readFileSync(join(from, file)), { level: 9 }));
  }
}

// Some of them may be installed anyway, as dependencies of another package.
function lacksTools() {
  const { resolve: find } = createRequire(import.meta.url);
  return tools.some((name) => {
    try {
      find(`${name}/package.json`);
      return false;
    } catch {
      return true;
    }
  });
}

function explainTools() {
  const state = existsSync(program) ? 'was built from other sources than those in src/' : 'is not built';
  console.error(
    `stakeport: dist/ ${state}, and what builds it is not installed: the development dependencies. Build first, then leave them out:\n` +
      '  npm ci && npm run ensure && npm run build && npm prune --omit=dev && node dist/server/main.js',
  );
  process.exitCode = 1;
}

async function build(inputs, sources) {
  const compiled = compile(outputsOf(sources));
  const { bundle, declare } = await import('./bundle.mjs');
  const { bundleUi } = await import('./ui.mjs');
  writeFileSync(bundled, JSON.stringify([...(await bundle(root)), ...declare(root), ...(await bundleUi(root))]));
  removeStrangers(outputsOf(sources));
  copyAssets();
  if (existsSync(program)) chmodSync(program, 0o755);
  if (compiled) writeFileSync(stamp, inputs);
  else process.exitCode = 1;
}

function removeStrangers(outputs) {
  for (const file of filesIn(dist)) {
    if (!outputs.has(file) && dirname(file) !== cache) rmSync(file);
  }
}

const sources = filesIn(join(root, 'src')).filter((file) => /\.tsx?$/.test(file) || file.startsWith(dashboard));
// Without src/, dist/ is used as it is.
if (sources.length > 0 || !existsSync(program)) {
  const inputs = fingerprint(sources);
  if (!isCurrent(inputs, outputsOf(sources))) {
    if (lacksTools()) explainTools();
    else {
      console.error('stakeport: building dist/ of the sources as they are, once; this takes about half a minute.');
      await build(inputs, sources);
    }
  }
}
