// Takes the pictures of the pages for the documents: `npm run screenshots`.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { launchChromium } from './chromium.js';
import { makeLively } from './lively.js';

const ROOT = join(import.meta.dirname, '../..');
const TO = join(ROOT, 'docs/images');
const MOST_BYTES = 150_000;
const SHOTS = [
  ['overview', 'light', 1120, 720],
  ['positions', 'light', 1120, 560],
  ['orders', 'dark', 1120, 560],
  ['strategies', 'light', 1120, 560],
  ['overview', 'dark', 390, 844],
] as const;

async function addressOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('The server has no output.');
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The server did not start.');
}

/** Waits until the plot has a line. */
async function pointsOf(url: string): Promise<void> {
  for (let count = 0; count < 5; ) {
    const { data } = (await (await fetch(`${url}/v1/portfolio/history?limit=10`)).json()) as { data: object[] };
    count = data.length;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function shoot(url: string): Promise<void> {
  const browser = await launchChromium();
  for (const [name, colorScheme, width, height] of SHOTS) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height } });
    await page.goto(`${url}/ui/${name}`);
    await page.locator('.pulse:is(.open, .still)').waitFor();
    await page.locator('main').filter({ hasNotText: 'Reading…' }).waitFor();
    if (name === 'overview') await page.getByText(/^\d+ s$/).waitFor();
    const path = join(TO, `${name}-${colorScheme}-${width}.png`);
    await page.screenshot({ path });
    const { size } = statSync(path);
    if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes; at most ${MOST_BYTES} are allowed.`);
    console.log(`${path} ${size}`);
    await page.close();
  }
  await browser.close();
}

/** The report of the example season. */
async function shootReport(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const strategies = ['north', 'south'].flatMap((league) => ['--strategy', `examples/season-${league}.json`]);
  const command = [join(ROOT, 'dist/server/main.js'), 'backtest', 'examples/season.jsonl.gz', '--out', folder];
  execFileSync(process.execPath, [...command, ...strategies], { cwd: ROOT, stdio: 'ignore' });
  const browser = await launchChromium();
  const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1120, height: 1000 } });
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  await page.screenshot({ path: join(TO, 'report-light-1120.png') });
  await browser.close();
  rmSync(folder, { recursive: true });
}

mkdirSync(TO, { recursive: true });
await shootReport();
const { PATH = '', HOME = '' } = process.env;
const server = spawn(process.execPath, [join(ROOT, 'dist/server/main.js')], {
  cwd: ROOT,
  env: {
    PATH,
    HOME,
    PORT: '0',
    MARKET_DATA: 'tape:examples/two-markets.jsonl',
    DATABASE_URL: 'memory:',
    EQUITY_EVERY: '1s',
  },
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  const url = await addressOf(server);
  await makeLively(url);
  await pointsOf(url);
  await shoot(url);
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
}
