import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { KNOWN_ADDRESS } from './adapters/polymarket/signing/known-address.js';
import { ROOT } from './support/build.js';
import { freshSqliteFile } from './support/databases.js';
import { FakeVenue } from './support/fake-venue/venue.js';
import { Client } from './support/http.js';
import { listedMarket, writeKey } from './support/live-deployment.js';
import { startProgram, startServer } from './support/processes.js';
import { runs } from './support/runs.js';

const run = promisify(execFile);
type Placed = { readonly data: readonly { readonly strategy_id: string }[] };
const EXAMPLES = resolve(ROOT, 'examples');
const TSX = resolve(ROOT, 'node_modules/tsx/dist/cli.mjs');
/** Where the examples are as JavaScript, within this package: tsx compiles each at every start. */
const COMPILED = resolve(ROOT, 'dist/.cache/examples');

async function printed(program: readonly string[], env = {}): Promise<string[]> {
  const { stdout } = await run(process.execPath, program, { cwd: ROOT, env: { ...process.env, ...env } });
  return stdout.trim().split('\n');
}

const runExample = (name: string, args: readonly string[] = [], env = {}): Promise<string[]> =>
  printed([resolve(COMPILED, `${name}.js`), ...args], env);

describe('The example', () => {
  beforeAll(() => {
    expect(inject('buildFailure')).toBe('');
    const entryPoints = readdirSync(EXAMPLES)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => resolve(EXAMPLES, file));
    buildSync({ entryPoints, outdir: COMPILED, format: 'esm', platform: 'node' });
    copyFileSync(resolve(EXAMPLES, 'two-markets.jsonl'), resolve(COMPILED, 'two-markets.jsonl'));
  });

  it('embed.ts places an order under a strategy, and prints its history', async () => {
    expect(await printed([TSX, resolve(EXAMPLES, 'embed.ts')])).toEqual([
      'strategy "Home favourites", version 1, at most 100 USDC',
      'order filled: 17.54 shares for 9.9978 USDC',
      '  1. requested',
      '  2. accepted',
      '  3. fill',
    ]);
  });

  it('quickstart.sh takes a strategy and an order around a running server', async () => {
    const { url } = await startServer({ env: { DATABASE_URL: 'memory:' } });
    const env = { ...process.env, BASE: url };
    const { stdout } = await run('sh', [resolve(ROOT, 'examples/quickstart.sh')], { env });
    const [created, changed, placed, read, events] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(created).toMatchObject({ name: 'Home favourites', stake_cap: '50', version: 1 });
    expect(changed).toMatchObject({ id: created.id, stake_cap: '25', version: 2 });
    expect(placed).toMatchObject({ strategy_id: created.id, strategy_version: 2, status: 'filled', size_usdc: '20' });
    expect(read).toEqual(placed);
    expect(events.data.map(({ type }: { type: string }) => type)).toEqual(['requested', 'accepted', 'fill']);
  });

  describe('of a strategy in code', () => {
    const tape = { TAPE_START: 'request', TAPE_SPEED: '20', MARKET_DATA: 'tape:examples/two-markets.jsonl' };

    it('buys once under its strategy at a server', async () => {
      const { url } = await startServer({ cwd: ROOT, env: { DATABASE_URL: 'memory:', ...tape } });
      const [follows = '', ...told] = await runExample('strategy-in-code', ['home-away', '0.57'], { BASE: url });
      expect(told).toEqual(['bought 28.57 for 15.9992: filled', 'result: YES pays 1']);
      const placed = await new Client(url).get('/v1/exchange/orders');
      const buys = 'it buys YES once, in play, at 0.57 or better';
      expect(follows).toBe(`strategy ${placed.json<Placed>().data[0]?.strategy_id} follows home-away: ${buys}`);
    });

    it('decides by the same function in a backtest', async () => {
      const told = await runExample('strategy-in-code', ['--backtest', 'examples/two-markets.jsonl']);
      expect(told.find((row) => row.startsWith('Cheap in play'))).toMatch(/ 1 +1 +0 +11\.02 /);
    });
  });

  // In the long run of the soak, to the end of the recording.
  it('automation.sh lets an automated strategy trade a tape at a profit', async () => {
    const tape = { MARKET_DATA: 'tape:examples/two-markets.jsonl', TAPE_SPEED: '10' };
    const { url } = await startServer({ cwd: ROOT, env: { DATABASE_URL: 'memory:', ...tape } });
    const script = startProgram('sh', { args: [resolve(ROOT, 'examples/automation.sh')], env: { BASE: url } });
    await script.says(/^strategy {3}[0-9a-f-]{36} watches$/m);
    await script.says(/^bet {8}Home: 17\.1696 dollars at odds of 1\.747274$/m);
    if (runs(1) === 1) return;
    await script.says(/^result {5}30 dollars back$/m, 60_000);
    await script.says(/^profit {5}12\.8304 dollars$/m);
  });

  it('backtest.ts trades a rule on a whole tape, books results and exits', async () => {
    const told = [
      '00:01.150  bucks-thunder: bought 48.78 shares for 19.9998',
      '00:20.150  home-away: bought 30 shares for 16.8',
      '01:05.000  home-away: result, orders settled 1',
      'cash 992.24061',
      'value 19.0242',
      'realised 13.2',
      'unrealised -0.9756',
      'fees 0.95959',
    ];
    expect(await runExample('backtest')).toEqual(told);
    expect(await runExample('backtest')).toEqual(told);
  });

  it('live.ts buys with real money and ends with a matching record', async () => {
    const market = listedMarket('rain');
    const venue = await FakeVenue.start({ markets: [market] });
    venue.fund(KNOWN_ADDRESS, '100');
    venue.offer(market.tokens[0], 'SELL', '0.4', '50');
    const file = freshSqliteFile();
    const env = {
      GAMMA: venue.gamma.href,
      CLOB: venue.clob.href,
      STREAM: venue.stream.href,
      DATABASE: file.url,
      KEY_FILE: writeKey(`${file.path}.key`),
    };
    const told = await runExample('live', [market.conditionId, '0.42', '5'], env);
    expect(told.slice(0, 2)).toEqual(['the record agrees with the venue', 'order filled']);
    expect(told.at(-1)).toBe('11.9047 shares for 4.76188 USDC; 0.23812 USDC are free');
    expect(venue.log.statuses('POST /order')).toEqual([200]);
    await venue.close();
    file.remove();
  });

  it('own-server.ts serves a venue of its own', async () => {
    expect(await runExample('own-server')).toEqual(['filled: 5 shares of Rain']);
  });

  it('own-exchange.ts keeps the promises of every venue', async () => {
    const lines = await runExample('own-exchange');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
  });
});
