import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import {
  AWAY,
  book,
  change,
  fresh,
  HOME,
  HOUR,
  hourFile,
  MARKET,
  removeFiles,
  WHOLE,
} from '../adapters/import/importing.js';
import { aListedGame } from '../adapters/polymarket/market-data/venue.js';
import { pmxtMarket, written } from '../support/pmxt-files.js';
import { stakeport } from './in-process.js';

afterAll(removeFiles);

const meta = () => written(fresh('markets.jsonl'), JSON.stringify(pmxtMarket(1)));
const run = (...args: string[]) => stakeport('import', ...args);

describe('stakeport import', () => {
  test('says what the tape holds, what was found, and what to repeat', async () => {
    const out = fresh('tape.jsonl');
    const file = hourFile([WHOLE, change(20, 'SELL', '0.45', '5', ['0.4', '0.43'])]);
    const { code, printed } = await run('pmxt', '--in', file, '--meta', meta(), '--any-size', '--out', out);
    expect([code, printed.split('\n')]).toEqual([
      0,
      [
        `${out}: 1 market, 2 changes, 0 gaps, 2026-06-26T02:00:00.000Z to 2026-06-26T02:00:00.020Z`,
        'evidence l2, by pmxt v2',
        '! After 0.0 % of the changes the best prices were those that the venue stated; below 95 %, books are less sure than they look.',
        '! 1 levels were better than the best price that the venue stated, and were taken away.',
        '! Ticks, fees and starts are those of the file of --meta, not those of the time: no history of them exists.',
        'When you publish what rests on it: Order book data: PMXT archive (archive.pmxt.dev), CC BY 4.0',
        `All that was counted: ${out}.import.json`,
        '',
      ],
    ]);
  });

  test('prints what it wrote beside the tape with --json', async () => {
    const out = fresh('tape.jsonl.gz');
    const markets = written(fresh('ids.txt'), `${MARKET}\n`);
    const { printed } = await run(
      'pmxt',
      '--in',
      hourFile([WHOLE]),
      '--meta',
      meta(),
      '--markets',
      markets,
      '--any-size',
      '--json',
      '--out',
      out,
    );
    expect(JSON.parse(printed)).toEqual(JSON.parse(readFileSync(`${out}.import.json`, 'utf8')));
  });

  test('takes markets as Gamma answers, and ends them when it says', async () => {
    const gamma = {
      ...aListedGame().gamma,
      conditionId: MARKET,
      clobTokenIds: JSON.stringify([HOME, AWAY]),
      closed: true,
      acceptingOrders: false,
      closedTime: '2026-06-26 02:00:01+00',
    };
    const file = written(fresh('gamma.json'), JSON.stringify([gamma]));
    const out = fresh('tape.jsonl');
    const hour = hourFile([WHOLE, book(2000, [['0.4', '1']], [])]);
    expect((await run('pmxt', '--in', hour, '--meta', file, '--any-size', '--out', out)).error).toBe('');
    const lines = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line));
    const states = lines.flatMap(({ t, market }) =>
      market === undefined ? [] : [[t - HOUR, market.status, market.terms.accepting_orders]],
    );
    expect(states).toEqual([
      [0, 'open', true],
      [1000, 'closed', false],
    ]);
  });

  test.each<[string, readonly string[], number, RegExp]>([
    [
      'a kind that does not exist',
      ['kalshi'],
      64,
      /^There is no kind "kalshi": pmxt, prices-history, pmxt-kalshi, kalshi-candles\. See stakeport import --help$/,
    ],
    [
      'files that hold nothing of the markets',
      ['pmxt', '--markets', pmxtMarket(1).id],
      1,
      /^the files hold nothing of these markets/,
    ],
    [
      'a market that is not described',
      ['pmxt', '--markets', '0xabc'],
      78,
      /markets\.jsonl: does not describe the market 0xabc\.$/,
    ],
    [
      'a file of markets that is not there',
      ['pmxt', '--meta', 'nowhere.jsonl'],
      78,
      /^nowhere\.jsonl: there is no such file or folder/,
    ],
    [
      'a file that is not there',
      ['pmxt', '--in', 'nowhere.parquet'],
      78,
      /^nowhere\.parquet: there is no such file or folder/,
    ],
  ])('refuses %s', async (_, args, code, words) => {
    const hour = hourFile([{ ...WHOLE, market: pmxtMarket(3).id }]);
    const given = args.includes('--in') ? [] : ['--in', hour];
    const described = args.includes('--meta') ? [] : ['--meta', meta()];
    const outcome = await run(...args, ...given, ...described, '--any-size', '--out', fresh('tape.jsonl'));
    expect([outcome.code, outcome.error]).toEqual([code, expect.stringMatching(words)]);
  });
});
