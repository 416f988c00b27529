import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { NO_VENUE } from '../../../../src/core/market/market.js';
import type { Shares } from '../../../../src/core/money.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import type { StrategyDraft } from '../../../../src/core/strategy/strategy.js';
import { useCases } from '../../../../src/core/usecases/compose.js';
import { runnerUseCase } from '../../../../src/core/usecases/compose-strategies.js';
import { Venues, venueFrom } from '../../../../src/core/venues/venues.js';
import { ALICE, aDraft, anOrderContext, anOrderDraft, price, usdc } from '../../../support/builders.js';
import { MarketBoard } from '../../../support/market-board.js';
import { aMatch } from '../../../support/match-day.js';
import { isUnsure, rests, ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { levels, ManualTimeline } from '../../../support/scripted-market.js';
import { MAY } from '../approvals/fixture.js';

const GAMES = Array.from({ length: 6 }, (_, n) => aMatch(`game-${n}`, { venue: NO_VENUE }));
const RULES: RulesDraft = {
  match: {},
  outcome: { index: 0 },
  filter: { minOdds: 1_900_000n },
  sizing: { method: 'flat', value: usdc('10') },
  order: { timeInForce: 'GTC', giveUpAfterMs: null },
};
const atMost = (maxOpen: number, more: RulesDraft['limits'] = {}) => ({
  rules: { ...RULES, limits: { eventLoss: null, dailyLoss: null, maxOpen, ...more } } satisfies RulesDraft,
});

/** Six games of which none is on sale, an exchange where orders rest unless its script says otherwise, and the runner. */
async function staged(changes: Partial<StrategyDraft>) {
  const clock = new ManualTimeline();
  const board = new MarketBoard(clock);
  const ledger = new MemoryLedger(clock);
  const exchange = new ScriptedSimulator({ place: rests() });
  const ports = { ...anOrderContext({ clock }), ledger, venues: new Venues(exchange, [venueFrom(board, null)]) };
  const use = useCases(ports);
  const draft = aDraft({ automation: 'auto', bankrollCap: usdc('1000'), ...changes });
  const { record: strategy } = await use.strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });
  for (const game of GAMES) await board.list(game);
  const runner = runnerUseCase(ports, use.strategies.skips);
  await runner.refreshStrategies();
  await runner.refreshMarkets();
  const show = (game: (typeof GAMES)[number], ask = '0.50') =>
    board.show(game.id, levels('0.47x1000'), levels(`${ask}x1000`));
  return {
    use,
    ledger,
    exchange,
    strategy,
    show,
    runner,
    orders: async () => (await ledger.listOrders(ALICE, {}, { limit: 100 })).toReversed(),
    approvals: async () => (await use.approvals.read.many(ALICE, 'waiting', { limit: 100 })).items.toReversed(),
    skips: async () =>
      (await use.strategies.decisions.many(ALICE, strategy.id, {}, { limit: 100 })).items.flatMap(
        ({ code }) => code ?? [],
      ),
    showAll: () => Promise.all(GAMES.map((game) => show(game))),
    change: (patch: Partial<StrategyDraft>) =>
      use.strategies.change.execute({
        account: ALICE,
        strategyId: strategy.id,
        patch,
        precondition: null,
        idempotencyKey: null,
        route: 'strategies.change',
      }),
  };
}

describe('The most bets of a strategy that are open at once', () => {
  it('counts resting orders across markets and frees a slot when one ends', async () => {
    const { use, showAll, runner, orders, skips } = await staged(atMost(2));
    await showAll();
    const [first] = await orders();
    expect(await orders()).toHaveLength(2);
    expect(new Set(await skips())).toEqual(new Set(['max_open_exceeded']));
    if (first === undefined) throw new Error('nothing rests');
    await use.orders.cancel.execute({ account: ALICE, orderId: first.id, idempotencyKey: null });
    await runner.endHolds();
    expect(await orders()).toHaveLength(3);
  });

  it('count an order whose outcome is unknown', async () => {
    const { exchange, show, orders } = await staged(atMost(1));
    exchange.script.place = isUnsure();
    for (const game of GAMES) await show(game);
    expect((await orders()).map(({ state }) => state)).toEqual(['unknown']);
  });

  it('count shares and an order that rests for more of them once', async () => {
    const { use, exchange, strategy, show, orders } = await staged(atMost(2));
    const [one, two, three] = GAMES as [(typeof GAMES)[number], (typeof GAMES)[number], (typeof GAMES)[number]];
    exchange.script.place = ({ id, intent }) => {
      const half = { tradeId: `${id}-1`, shares: (intent.shares / 2n) as Shares, price: intent.price, fee: usdc('0') };
      const executed = { ...half, liquidity: 'TAKER' as const, confirmed: true, model: null };
      return { kind: 'accepted', venueOrderId: id, executions: [executed], failed: [], rest: 'open' };
    };
    await show(one);
    exchange.script.place = rests();
    const more = { marketId: one.id, strategyId: strategy.id, price: price('0.3'), size: usdc('3') };
    await use.orders.place.execute({ draft: anOrderDraft(more), mayTradeLive: false, idempotencyKey: null });
    await show(two);
    await show(three);
    expect((await orders()).map(({ intent }) => intent.marketId)).toEqual([one.id, one.id, two.id]);
  });

  it('count what waits for approval, but not against itself', async () => {
    const { use, showAll, approvals, orders } = await staged({ ...atMost(2), automation: 'approve' });
    await showAll();
    const waiting = await approvals();
    expect(waiting).toHaveLength(2);
    for (const { id } of waiting) await approve(use, id);
    expect(await orders()).toHaveLength(2);
  });

  it('count an outcome once that has an order and waits for approval', async () => {
    const often = { maxBetsPerOutcome: 2, cooldownMs: null };
    const { use, show, approvals } = await staged({ ...atMost(3, often), automation: 'approve' });
    const [again] = GAMES as [(typeof GAMES)[number]];
    await show(again);
    for (const { id } of await approvals()) await approve(use, id);
    // At the first price the runner learns that a person approved, at the second the odds are too low.
    for (const ask of ['0.49', '0.60']) await show(again, ask);
    for (const game of GAMES) await show(game, '0.48');
    const asked = (await approvals()).map(({ decision }) => decision.marketId);
    expect(asked).toEqual(GAMES.slice(0, 3).map(({ id }) => id));
  });

  it('limit concurrent approvals too', async () => {
    const { use, showAll, approvals, orders, change } = await staged({ ...atMost(6), automation: 'approve' });
    await showAll();
    await change({ rules: atMost(2).rules });
    const answered = await Promise.all((await approvals()).map(({ id }) => approve(use, id)));
    expect(answered.map(({ decision }) => decision.code ?? 'bet').sort()).toEqual([
      'bet',
      'bet',
      'max_open_exceeded',
      'max_open_exceeded',
      'max_open_exceeded',
      'max_open_exceeded',
    ]);
    expect(await orders()).toHaveLength(2);
  });
});

type Use = Awaited<ReturnType<typeof staged>>['use'];

async function approve(
  { approvals }: Use,
  approvalId: Parameters<Use['approvals']['approve']['execute']>[0]['approvalId'],
) {
  const answer = { account: ALICE, approvalId, by: 'ann', idempotencyKey: null, may: MAY, mayTradeLive: false };
  return (await approvals.approve.execute(answer)).record;
}
