import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { openTape, type TapeMarketData } from '../../src/adapters/tape/index.js';
import { repeat } from '../../src/core/concurrency/repeat.js';
import type { AccountId, DecisionId, StrategyId } from '../../src/core/ids.js';
import type { Order } from '../../src/core/order/order.js';
import type { BetDecision } from '../../src/core/strategy/decide/decide.js';
import type { DecisionRecord } from '../../src/core/strategy/record/decision-record.js';
import { RecentSkips } from '../../src/core/strategy/record/recent-skips.js';
import type { Strategy } from '../../src/core/strategy/strategy.js';
import { runnerUseCase } from '../../src/core/usecases/compose-strategies.js';
import type { Ledger } from '../../src/ports/ledger.js';
import type { InBackground } from '../../src/ports/system.js';
import { createStakeport, type Stakeport } from '../../src/stakeport/create-stakeport.js';
import type { StrategyRequest } from '../../src/stakeport/strategies.js';
import { ALICE, countingIds } from './builders.js';

/** A strategy of Alice's; by default it trades by itself, with 1000 dollars of which 50 may be in one order. */
export type Traded = Partial<StrategyRequest> & Pick<StrategyRequest, 'name' | 'rules'>;

/** Something that a person does at a moment of the tape. */
export interface Action {
  readonly at: Date;
  do(stakeport: Stakeport, strategies: readonly Strategy[]): Promise<unknown>;
}

/** How a tape is played. */
export interface Playing {
  readonly ledger?: Ledger;
  readonly actions?: readonly Action[];
  /** Results are looked for so often, as a server does; by default whenever a market is described. */
  readonly settleEveryMs?: number;
  /** Done before the first strategy is there. */
  readonly before?: (stakeport: Stakeport, tape: TapeMarketData) => Promise<unknown>;
}

/** What became of it. */
export interface Played {
  readonly stakeport: Stakeport;
  readonly strategies: readonly Strategy[];
  /** Each look of a strategy at an outcome, in order: what was seen, and what came of it. */
  readonly looks: readonly (BetDecision | DecisionRecord)[];
  readonly bets: readonly DecisionRecord[];
  /** Oldest first. */
  readonly orders: readonly Order[];
  readonly faults: readonly unknown[];
}

/** Skips that are all remembered. */
class EverySkip extends RecentSkips {
  readonly seen: BetDecision[] = [];

  override addLater(account: AccountId, id: DecisionId, strategyId: StrategyId, decide: () => BetDecision): void {
    this.seen.push(decide());
    super.addLater(account, id, strategyId, decide);
  }
}

/** Plays a tape to its end, at full speed, and lets these strategies trade on it by themselves; results are settled as they come. */
export async function playStrategies(path: string, traded: readonly Traded[], how: Playing = {}): Promise<Played> {
  const { ledger = new MemoryLedger(), actions = [] } = how;
  const tape = await openTape(path, { speed: 'max' });
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const stakeport = createStakeport({
    marketData: tape,
    clock: tape,
    wallClock: tape,
    ledger,
    ids: countingIds,
    openingCash: 1_000_000,
    onFault,
    onWarning: () => {},
  });
  await how.before?.(stakeport, tape);
  const strategies: Strategy[] = [];
  for (const one of traded) strategies.push(await stakeport.strategies.create({ ...USUAL, ...one }));
  const skips = new EverySkip();
  // As on a server: each bet counts by itself for what the tape waits for.
  const inBackground: InBackground = (work) => tape.inBackground(work);
  const runner = runnerUseCase({ ...stakeport.ports, inBackground }, skips, (_, error) => onFault(error));
  const refresh = async () => {
    if (await runner.refreshStrategies()) await runner.refreshMarkets();
  };
  await refresh();
  for (const action of actions) tape.at(action.at, () => action.do(stakeport, strategies).then(() => {}, onFault));
  repeat(tape, 1000, refresh);
  repeat(tape, 30_000, () => runner.refreshMarkets());
  const { settleEveryMs } = how;
  if (settleEveryMs !== undefined) repeat(tape, settleEveryMs, () => stakeport.markets.settle());
  for (const market of settleEveryMs === undefined ? tape.index.markets : [])
    await tape.follow(market, async ({ type }) => {
      if (type === 'market') await stakeport.markets.settle();
    });
  await tape.play();
  runner.stop();
  if (settleEveryMs !== undefined) await stakeport.markets.settle();
  tape.stop();
  const orders = (await ledger.listOrders(ALICE, {}, { limit: 100_000 })).toReversed();
  const bets: DecisionRecord[] = [];
  for (const { id } of strategies) bets.push(...(await ledger.decisions.list(ALICE, id, {}, { limit: 10_000 })));
  bets.sort((a, b) => a.at.getTime() - b.at.getTime());
  const looks = [...bets, ...skips.seen].sort((a, b) => a.at.getTime() - b.at.getTime());
  return { stakeport, strategies, looks, bets, orders, faults };
}

const USUAL = { account: ALICE, sport: 'soccer', automation: 'auto', bankrollCap: 1000, stakeCap: 50 } as const;

/** What can be compared of looks of two plays: all but the ids, which are new in each. */
export function comparable({ strategies, looks }: Pick<Played, 'strategies' | 'looks'>): readonly object[] {
  const names = new Map(strategies.map(({ id, name }) => [id, name]));
  return looks.map(({ strategyId, at, marketId, token, verdict, code, price, size, shares, odds, edge, rules }) => ({
    strategy: names.get(strategyId),
    at: at.toISOString(),
    marketId,
    token,
    verdict,
    code,
    price,
    size,
    shares,
    odds,
    edge,
    rules,
  }));
}
