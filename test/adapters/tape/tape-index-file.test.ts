import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { cutTape } from '../../../src/adapters/tape/tape-cut.js';
import { indexedTape, indexPathOf, openScanned, writeTapeIndex } from '../../../src/adapters/tape/tape-index-file.js';
import { readTape } from '../../../src/adapters/tape/tape-reader.js';
import { type Played, playedParts } from '../../../src/adapters/tape/tape-span.js';
import { backtest } from '../../../src/backtest/index.js';
import { aBody, afternoonOf, games, textOfRun } from '../../support/backtests.js';
import {
  alive,
  all,
  book,
  described,
  fileOf,
  freshPath,
  line,
  pastNoon,
  RAIN,
  SNOW,
  START,
  tape,
  textOf,
} from './tapes.js';

const GAMES = games(6);
/** With silences of 100 seconds. */
const LINES = afternoonOf(GAMES).filter(({ at }) => at.getTime() % 600_000 < 500_000);
const CUP = aBody('cup', { match: { league: 'cup' } });
const FEW_BYTES = 2000;
const noted = () => {};

const indexed = async (path: string): Promise<string> => {
  await writeTapeIndex(path, noted, FEW_BYTES);
  return path;
};
const played = async (path: string) => textOfRun(await backtest({ tapes: path, strategies: [CUP] }));

describe('A backtest by an index', () => {
  it.each(['.jsonl', '.jsonl.gz'])('has the same bytes as without, of a tape %s', async (ending) => {
    const text = textOf(...LINES);
    const path = fileOf(ending === '.jsonl' ? text : gzipSync(text), ending);
    const plain = await played(path);
    await indexed(path);
    expect((await openScanned(path)).blocks?.length).toBeGreaterThan(20);
    expect(JSON.parse(plain)).toMatchObject({ header: { gaps: 4 } });
    expect((await played(path)) === plain).toBe(true);
  });

  it('reads no block that has nothing of what it follows', async () => {
    const path = tape(...LINES);
    await writeTapeIndex(path, noted, 1);
    const known = await openScanned(path);
    const [followed] = GAMES;
    const markets = new Set(followed === undefined ? [] : [followed.id]);
    const other = known.blocks?.findLast(
      (block) => !block.describes && !block.markets.includes(`${followed?.id}` as never),
    );
    const bytes = readFileSync(path);
    bytes.fill('?', (other?.at ?? 0) + 1, (other?.at ?? 0) + 9);
    writeFileSync(path, bytes);
    const playedOf = async (one: Parameters<typeof playedParts>[0][number]) => {
      let changes = 0;
      for await (const part of playedParts([one], { markets }))
        for (const { type } of part) if (type === 'change') changes += 1;
      return changes;
    };
    expect(await playedOf(known)).toBe(
      LINES.filter((one) => one.type === 'change' && (one.change.type === 'market' || markets.has(one.marketId)))
        .length,
    );
    await expect(playedOf(path)).rejects.toThrow('is not JSON');
  });

  it('plays the tape as it is now where that is not as it was', async () => {
    const path = await indexed(tape(...LINES));
    const later = line(3_600_000, book('0.1', '0.2'), GAMES[0]);
    appendFileSync(path, textOf(later).split('\n')[1] ?? '');
    expect(await indexedTape(path)).toBe('stale');
    expect((await openScanned(path)).index.ended).toEqual(later.at);
  });

  it('does not use an index that is damaged', async () => {
    const path = await indexed(tape(...LINES));
    const text = readFileSync(indexPathOf(path), 'utf8');
    writeFileSync(indexPathOf(path), text.replace(/"lines":\d/, '"lines":9'));
    expect(await indexedTape(path)).toBe('stale');
  });
});

it('a tape with text that is not UTF-8 has no index', async () => {
  const path = fileOf(
    Buffer.from(textOf(line(0, described(RAIN)), line(1, { type: 'gap', reason: 'caf\u00e9' })), 'latin1'),
  );
  await expect(writeTapeIndex(path)).rejects.toThrow('line 3 of the tape: has text that is not UTF-8');
});

it('silences are the same where blocks between are not read', async () => {
  const others = [12, 24, 29, 58.5, 90, 119.9, 149.9, 150, 181].map((s) => line(s * 1000, book('0.3', '0.4'), SNOW));
  const path = tape(line(0, described(RAIN)), line(0, described(SNOW), SNOW), ...others, alive(200_000));
  const holesOf = async (known: string | Awaited<ReturnType<typeof openScanned>>) => {
    const found: Played[] = [];
    for await (const part of playedParts([known], { markets: new Set([RAIN.id]) })) found.push(...part);
    return found.filter(({ type }) => type === 'hole').map(({ at }) => at.getTime() - START);
  };
  expect(await holesOf(path)).toEqual([88_500, 180_000]);
  await writeTapeIndex(path, noted, 1);
  expect(await holesOf(await openScanned(path))).toEqual([88_500, 180_000]);
  await writeTapeIndex(path, noted, 300);
  expect(await holesOf(await openScanned(path))).toEqual([88_500, 180_000]);
});

describe('A cut by an index', () => {
  const names = GAMES.filter(({ league }) => league === 'cup').map(({ id }) => `${id}`);
  const path = fileOf(textOf(...LINES));
  const cutOf = async (part: { readonly from?: Date } = {}) => {
    const out = freshPath();
    await cutTape(path, out, { ...part, markets: names });
    return out;
  };
  let plain = '';
  let since = '';

  beforeAll(async () => {
    [plain, since] = [await cutOf(), await cutOf({ from: pastNoon(700_000) })];
    await indexed(path);
  });

  it('has the same changes of its markets', async () => {
    const changes = async (cut: string) => (await all(readTape(cut))).filter(({ type }) => type === 'change');
    expect(await changes(await cutOf())).toEqual(await changes(plain));
    expect(await changes(await cutOf({ from: pastNoon(700_000) }))).toEqual(await changes(since));
  });

  it('plays as one without', async () => {
    const betsOn = async (cut: string) => JSON.stringify(JSON.parse(await played(cut)).played);
    expect((await betsOn(await cutOf())) === (await betsOn(plain))).toBe(true);
  });
});
