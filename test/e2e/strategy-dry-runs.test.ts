import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { openTape } from '../../src/adapters/tape/index.js';
import { useCases } from '../../src/core/usecases/compose.js';
import { createStakeport } from '../../src/stakeport/create-stakeport.js';
import { tape } from '../adapters/tape/tapes.js';
import { ALICE } from '../support/builders.js';
import { freshSqliteFile } from '../support/databases.js';
import { aMatch, inTime, says, shows } from '../support/match-day.js';

const GAMES = Array.from({ length: 10 }, (_, n) => aMatch(`g${n}`));

/** Every byte of a database, with what is written ahead of it. */
function bytesOf(path: string): string {
  const files = [path, `${path}-wal`].filter((file) => existsSync(file));
  return createHash('sha256')
    .update(Buffer.concat(files.map((file) => readFileSync(file))))
    .digest('hex');
}

test('a thousand evaluations report bets and leave the database unchanged', async () => {
  const file = freshSqliteFile();
  const lines = GAMES.flatMap((game, n) => [says(game, 0), shows(game, 1, `0.${40 + n}`, `0.${42 + n}`)]);
  const source = await openTape(tape(...inTime(lines, 30)), { speed: 'max' });
  const ledger = await openSqlLedger(file.url);
  const stakeport = createStakeport({ marketData: source, clock: source, wallClock: source, ledger });
  source.at(new Date(source.index.began.getTime() + 5000), async () => {
    const { id } = await stakeport.strategies.create({
      account: ALICE,
      name: 'homes',
      sport: 'soccer',
      automation: 'auto',
      bankrollCap: 1000,
      stakeCap: 50,
      rules: {
        outcome: 'each',
        filter: { minOdds: '2.05', maxOdds: '2.3', maxDrift: '0.01' },
        sizing: { method: 'flat', value: 10 },
      },
    });
    const { evaluate } = useCases(stakeport.ports).strategies;
    const before = bytesOf(file.path);
    for (let n = 0; n < 100; n++) {
      const decisions = await evaluate.execute({ account: ALICE, strategyId: id, market: null, limit: 10 });
      expect(decisions).toHaveLength(10);
      expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['bet', 'skip']));
    }
    expect(bytesOf(file.path)).toBe(before);
    expect((await stakeport.orders.list(ALICE)).items).toEqual([]);
  });
  await source.play();
  await stakeport.close();
  file.remove();
  expect.assertions(202);
});

test('its holdings are evaluated too, without a sale or a record', async () => {
  const file = freshSqliteFile();
  const lines = GAMES.slice(0, 3).flatMap((game) => [says(game, 0), shows(game, 1, '0.48', '0.50')]);
  const source = await openTape(tape(...inTime(lines, 30)), { speed: 'max' });
  const ledger = await openSqlLedger(file.url);
  const ports = { marketData: source, clock: source, wallClock: source, ledger, latencyMs: 0 };
  const stakeport = createStakeport(ports);
  let judged: readonly unknown[] = [];
  source.at(new Date(source.index.began.getTime() + 5000), async () => {
    const { id } = await stakeport.strategies.create({
      account: ALICE,
      name: 'out',
      sport: 'soccer',
      bankrollCap: 1000,
      stakeCap: 50,
      rules: {
        outcome: { index: 0 },
        filter: { minOdds: 2.5 },
        sizing: { method: 'flat', value: 10 },
        exit: { takeProfit: { price: '0.48' } },
      },
    });
    for (const { slug } of GAMES.slice(0, 2))
      await stakeport.orders.place({
        account: ALICE,
        strategy: id,
        market: slug ?? '',
        outcome: 'YES',
        price: '0.5',
        usdc: 10,
        timeInForce: 'FAK',
      });
    await stakeport.strategies.change(ALICE, id, { automation: 'approve' });
    const { evaluate } = useCases(stakeport.ports).strategies;
    const before = bytesOf(file.path);
    for (let n = 0; n < 10; n++)
      judged = await evaluate.execute({ account: ALICE, strategyId: id, market: null, limit: 10 });
    expect(bytesOf(file.path)).toBe(before);
    expect((await stakeport.orders.list(ALICE)).items).toHaveLength(2);
  });
  await source.play();
  await stakeport.close();
  file.remove();
  const [sale, bet] = [{ verdict: 'bet', boundBy: 'exit/take_profit', slot: null }, { code: 'odds_out_of_range' }];
  expect(judged).toMatchObject([sale, sale, bet, bet, bet]);
  expect.assertions(3);
});
