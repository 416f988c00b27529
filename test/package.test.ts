import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ROOT } from './support/build.js';
import { fenced, linksOf, PAGES } from './support/pages.js';
import { listening, startProgram } from './support/processes.js';
import { declared, hiddenTypes } from './support/public-types.js';
import { sourcesIn } from './support/sources.js';

const run = promisify(execFile);
const workspace = mkdtempSync(join(tmpdir(), 'stakeport-package-'));

/** A program of somebody else, in its own project. */
const EMBED = `
import { type AccountId, type OrderContext, type MarketId, PlaceOrder, price, statusOf, SubmitOrder, usdc, Venues } from 'stakeport/core';
import { MemoryLedger, NoMarketData, PaperExchange } from 'stakeport/memory';

declare const console: { log(text: string): void };

let made = 0;
const venue = { marketData: new NoMarketData(), live: null, settlesInCash: false, redemption: null };
const venues = new Venues(new PaperExchange(), [venue]);
const context: OrderContext = {
  clock: { now: () => new Date(0) },
  wallClock: { now: () => new Date(0) },
  ids: { next: () => \`order-\${++made}\` },
  digest: (text) => text.length.toString(16).padStart(64, '0'),
  stopwatch: () => 0,
  openingCash: usdc('100'),
  liveOrderCap: null,
  venues,
};
const ledger = new MemoryLedger();
const submitOrder = new SubmitOrder(ledger, venues, context);
const placeOrder = new PlaceOrder(ledger, venues, submitOrder, context);
const { record: order } = await placeOrder.execute({
  draft: {
    account: 'me' as AccountId,
    venue: null,
    marketId: 'will-it-rain' as MarketId,
    outcome: 'YES',
    side: 'BUY',
    price: price('0.5'),
    size: usdc('10'),
    timeInForce: 'GTC',
    expiresAt: null,
    postOnly: false,
    paper: true,
    strategyId: null,
  },
  mayTradeLive: false,
  idempotencyKey: null,
});
console.log(statusOf(order));
`;

const CONSUMER = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023'],
    types: [],
  },
  files: ['embed.ts'],
};

/** The pages' own programs, in a project of their own that has nothing but the package. */
const READERS = {
  compilerOptions: { strict: true, skipLibCheck: false, module: 'NodeNext', target: 'ES2023', types: ['node'] },
};

/** The program of README.md. */
const README = `${fenced('README.md', 'ts')[0]?.text}`;

let packed: readonly string[] = [];
let unpackedBytes = 0;
let tarball = '';
/** A project in which the package was installed as npm does it, but for its optional dependencies. */
const project = join(workspace, 'project');
/** A project that has the package and nothing else: none of its dependencies. */
const alone = join(workspace, 'alone');

beforeAll(async () => {
  expect(inject('buildFailure')).toBe('');
  const pack = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', workspace], { cwd: ROOT });
  const [{ filename, files, unpackedSize }] = JSON.parse(pack.stdout);
  unpackedBytes = unpackedSize;
  packed = files.map(({ path }: { path: string }) => path);
  tarball = join(workspace, filename);
  mkdirSync(project);
  writeJson(join(project, 'package.json'), {
    private: true,
    type: 'module',
    dependencies: { stakeport: `file:${tarball}` },
  });
  writeJson(join(project, 'package-lock.json'), lockOf(tarball));
  const flags = ['--prefer-offline', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...flags], { cwd: project });
  mkdirSync(join(alone, 'node_modules'), { recursive: true });
  cpSync(join(project, 'node_modules/stakeport'), join(alone, 'node_modules/stakeport'), { recursive: true });
});

afterAll(() => rmSync(workspace, { recursive: true, force: true }));

test('the package holds no fault that its users would meet', async () => {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const { messages } = await publint({
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    strict: true,
  });
  expect(messages).toEqual([]);
});

test('the package has at most 8 MB in 1,200 files', () => {
  expect(packed.length).toBeLessThanOrEqual(1200);
  expect(unpackedBytes).toBeLessThanOrEqual(8_000_000);
});

test('the package installs no compiler, bundler or tools of tests', () => {
  const installed = readdirSync(join(project, 'node_modules'));
  expect(installed).toContain('koa');
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const types = Object.keys(devDependencies).filter((name) => !name.startsWith('@'));
  expect(types).toContain('typescript');
  expect(installed.filter((name) => types.includes(name) || /gyp|rollup|vite/.test(name))).toEqual([]);
});

test('no link of its pages leads out of the package', () => {
  const targets = [...PAGES.keys()].flatMap(linksOf).map(({ file }) => file.replace(/\/$/, ''));
  const isPacked = (file: string) => packed.some((path) => path === file || path.startsWith(`${file}/`));
  expect(targets.length).toBeGreaterThan(20);
  expect(targets.filter((file) => !isPacked(file))).toEqual([]);
});

describe('as a library', () => {
  /** What the entries export, but for those of the core. */
  let exported: readonly object[] = [];

  beforeAll(async () => {
    const entries = declarations().filter((entry) => !entry.endsWith('/types/core.d.ts'));
    exported = await Promise.all(entries.map((entry) => import(builtOf(entry).replace(/d\.ts$/, 'js'))));
  });

  test('runs the ten lines of README.md in an empty, strictly typed project', async () => {
    const lines = README.split('\n').filter((line) => line !== '' && !line.startsWith('import '));
    expect(lines.length).toBeLessThanOrEqual(10);
    const blocks = [README, ...fenced('docs/library.md', 'ts').map(({ text }) => text), ...examples()];
    for (const [at, text] of blocks.entries()) writeFileSync(join(project, `page-${at}.ts`), text);
    writeJson(join(project, 'tsconfig.json'), { ...READERS, files: blocks.map((_, at) => `page-${at}.ts`) });
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    await node(project, tsc, '-p', '.');
    const said = Object.fromEntries(
      await Promise.all([0, 2, 3].map(async (at) => [at, await node(project, `page-${at}.js`)] as const)),
    );
    expect(said).toEqual({ 0: 'filled 35.08\n', 2: 'denied\nfilled\nnull 19.9956\n', 3: '13200000n\n' });
  });

  test('trades on paper in a strictly typed program, without a single dependency', async () => {
    writeJson(join(alone, 'package.json'), { private: true, type: 'module' });
    writeJson(join(alone, 'tsconfig.json'), CONSUMER);
    writeFileSync(join(alone, 'embed.ts'), EMBED);
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    await expect(node(alone, tsc, '-p', '.')).resolves.toBe('');
    await expect(node(alone, 'embed.js')).resolves.toBe('filled\n');
  });

  test('keeps every other entry importable', async () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
    const specifiers = entries.map((entry) => `stakeport${entry.slice(1)}`);
    const script = `for (const name of ${JSON.stringify(specifiers)}) if (Object.keys(await import(name)).length === 0) console.log(name)`;
    await expect(node(project, '--input-type=module', '-e', script)).resolves.toBe('');
  });

  test('shows each exported function and class in a compiling example', async () => {
    const shown = [README, ...fenced('docs/library.md', 'ts').map(({ text }) => text), ...examples()].join('\n');
    const called = exported.flatMap(Object.entries).filter(([, value]) => isCalled(value));
    expect(called.length).toBeGreaterThan(30);
    const words = new Set(shown.match(/\w+/g));
    expect(called.map(([name]) => name).filter((name) => !words.has(name))).toEqual([]);
  });

  describe('whose declarations name types', () => {
    let program: ReturnType<typeof declared>;
    beforeAll(() => {
      program = declared(declarations());
      program.getTypeChecker();
    });

    test('exports each of them', () => {
      expect(hiddenTypes(program, declarations())).toEqual([]);
    });

    test('is found to lack one that a single entry does not export', () => {
      const [memory = ''] = declarations().filter((entry) => entry.endsWith('/memory.d.ts'));
      expect(hiddenTypes(program, [memory])).toContain('WholeStore, named by MemoryLedger');
    });
  });

  test('refuses an import past its entries', async () => {
    const script = `await import('stakeport/dist/core/money.js')`;
    await expect(node(project, '--input-type=module', '-e', script)).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('as a server', () => {
  test('starts by its name and runs without SQLite on another database', async () => {
    const program = join(project, 'node_modules/.bin/stakeport');
    const env = { DATABASE_URL: 'memory:', PORT: '0', SECRETS_KEY: randomBytes(32).toString('base64') };
    const server = await listening(startProgram(program, { env }));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/docs`)).status).toBe(200);
    const webhooks = startProgram(program, { args: ['webhooks'], env: { STAKEPORT_URL: server.url } });
    expect([await webhooks.ended, webhooks.output()]).toEqual([{ code: 0, signal: null }, 'No webhooks.\n']);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('says what to install where it lacks SQLite', async () => {
    const server = startProgram(join(project, 'node_modules/.bin/stakeport'), { env: { PORT: '0' } });
    expect((await server.ended).code).toBe(78);
    expect(server.output()).toMatch(/^stakeport cannot start: SQLite needs .*`npm install sqlite3`.* memory:, .*\n$/);
  });

  test('is an executable file', () => {
    expect(statSync(join(project, 'node_modules/stakeport/dist/server/main.js')).mode & 0o111).toBe(0o111);
  });
});

/** Whether it is a function or a class, but no error. */
const isCalled = (value: unknown): boolean => typeof value === 'function' && !(value.prototype instanceof Error);

/** The declarations of every entry, as they were built. */
function declarations(): string[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.values<{ types?: string }>(exports).flatMap(({ types }) => (types ? [join(ROOT, types)] : []));
}

/** The file of the build of which a declaration is a copy. */
const builtOf = (declaration: string): string => declaration.replace('/dist/types/', '/dist/');

/** The examples that are whole programs, as an editor shows them: those of the entries, then of what they export. */
function examples(): string[] {
  const entries = declarations().map((entry) =>
    relative(ROOT, entry)
      .replace('dist/types/', 'src/')
      .replace(/d\.ts$/, 'ts'),
  );
  const others = sourcesIn('src').map(({ path }) => path);
  return [...new Set([...entries, ...others])].flatMap((source) => {
    const blocks = readFileSync(join(ROOT, source), 'utf8').matchAll(/ \* @example\n \* ```ts\n(.*?) \* ```/gs);
    const texts = [...blocks].map(([, text = '']) => text.replace(/^ \* ?/gm, ''));
    if (entries.includes(source) && texts.length === 0) throw new Error(`${source} has no example`);
    return texts.filter((text) => text.startsWith('import '));
  });
}

/** The versions that this checkout was tested with, so that nothing but the package itself is new. */
function lockOf(file: string) {
  const { version, packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { '': own, ...rest } = packages;
  const { devDependencies: _, ...stakeport } = own;
  const used = Object.entries<{ dev?: boolean }>(rest).filter(([, { dev }]) => dev !== true);
  const root = { dependencies: { stakeport: `file:${file}` } };
  const all = { '': root, 'node_modules/stakeport': { ...stakeport, version, resolved: `file:${file}` } };
  return { lockfileVersion: 3, requires: true, packages: { ...all, ...Object.fromEntries(used) } };
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value));
}

async function node(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args, { cwd }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}
