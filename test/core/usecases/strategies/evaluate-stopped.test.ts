import { describe, expect, it } from 'vitest';
import { AUTH_SCOPES } from '../../../../src/core/access/principal.js';
import type { Market, MarketQuery } from '../../../../src/core/market/market.js';
import type { TradingMode } from '../../../../src/core/trading/state.js';
import { ALICE, type DraftChanges, price, usdc } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';
import { HOME, strategyFixture } from '../../../support/strategy-fixture.js';

/** What a dry run of the strategy says of its game, and what then becomes of its bet, in this state of trading. */
async function during(state: TradingMode, market: Partial<Market>, held: DraftChanges | null) {
  const fixture = await strategyFixture({ market });
  const { use, game, show, orders, place, strategy } = fixture;
  if (held !== null) expect((await place(held)).record.state).toBe('filled');
  await use.trading.set.execute({
    account: ALICE,
    change: { scope: 'account', state, stops: 'all', reason: 'Enough', by: 'me', until: null },
    cancel: false,
    idempotencyKey: null,
    may: new Set(AUTH_SCOPES),
  });
  game.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
  const { id: marketId, venue } = game.market;
  const asked = { account: ALICE, strategyId: strategy.id, market: { venue, marketId }, limit: 1 };
  const [dry] = await use.strategies.evaluate.execute(asked);
  await show('0.48x1000', '0.50x1000');
  const [order] = (await orders()).filter(({ intent }) => intent.strategy !== null);
  return { dry: dry?.code ?? dry?.verdict, order: order?.refusal?.code ?? 'bet' };
}

const NO: DraftChanges = { outcome: 'NO', price: price('0.52'), size: usdc('20.8') };

describe.each([
  ['an event of its own', {}],
  ['one of the exclusive markets of a game', { exclusiveSet: 'game' }],
] as const)('A dry run in a market that is %s says what the state of trading would do with the bet', (_, market) => {
  it.each<[string, TradingMode, DraftChanges | null, string]>([
    ['while nothing is accepted', 'halted', null, 'trading_halted'],
    ['that raises a worst case', 'reducing', null, 'trading_reducing'],
    ['that hedges less than it buys', 'reducing', { ...NO, size: usdc('5.2') }, 'trading_reducing'],
    ['that hedges what is held', 'reducing', NO, 'bet'],
    ['while all is well', 'active', null, 'bet'],
  ])('%s', async (_words, state, held, code) => {
    expect(await during(state, market, held)).toEqual({ dry: code, order: code });
  });
});

it.each([
  ['pre', 'in_play', '2026-03-01T11:00:00.000Z', 'in_play_not_allowed'],
  ['in_play', 'open', '2026-03-01T13:00:00.000Z', 'not_in_play'],
] as const)('A dry run of rules for %s while all games are %s says so of each', async (phase, status, at, code) => {
  const startsAt = new Date(at);
  const { use, game, strategy } = await strategyFixture({
    market: { status, startsAt },
    strategy: { rules: { ...HOME, phase } },
  });
  const search = async (asked: MarketQuery) => ({
    items: asked.status?.includes(status) ? [game.market] : [],
    next: null,
  });
  Object.assign(game, { search });
  const asked = { account: ALICE, strategyId: strategy.id, market: null, limit: 10 };
  const found = await use.strategies.evaluate.execute(asked);
  expect(found.map((one) => one.code)).toEqual([code]);
});
