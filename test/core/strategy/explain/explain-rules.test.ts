import { describe, expect, it } from 'vitest';
import { type Explained, explainRules } from '../../../../src/core/strategy/explain/explain-rules.js';
import { completeRules } from '../../../../src/core/strategy/rules/complete-rules.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { NOT_AUTOMATED } from '../../../../src/core/strategy/rules/trading-rules.js';
import { price, usdc } from '../../../support/builders.js';

const GIVEN: RulesDraft = { match: {}, filter: {}, sizing: { method: 'flat', value: usdc('10') } };

function said(pointer: string, changes: Partial<RulesDraft> = {}, others: Partial<Explained> = {}): string {
  const caps = { bankrollCap: usdc('1000'), stakeCap: usdc('50'), isPaused: false, paperOnly: false };
  const strategy = { ...NOT_AUTOMATED, ...caps, rules: completeRules({ ...GIVEN, ...changes }, 'soccer'), ...others };
  const found = explainRules(strategy).filter((one) => one.pointer === `/${pointer}`);
  return found.map(({ sentence }) => sentence).join(' ');
}

const sized = (method: RulesDraft['sizing']['method'], value: string) => ({ sizing: { method, value: usdc(value) } });

describe('A member of a strategy means', () => {
  it.each<[string, string, Partial<RulesDraft>]>([
    ['Only markets of the sport soccer.', 'rules/match/sport', {}],
    [
      'Only markets of the kind moneyline or total.',
      'rules/match/market',
      { match: { market: ['moneyline', 'total'] } },
    ],
    ['Only in the league epl.', 'rules/match/league', { match: { league: 'epl' } }],
    ['Only on the event ars-che.', 'rules/match/events', { match: { events: ['ars-che'] } }],
    [
      'Only where the question, the event or the slug has the words "arsenal".',
      'rules/match/text',
      { match: { text: 'arsenal' } },
    ],
    ['Bets for the home team.', 'rules/outcome', { outcome: { role: 'home' } }],
    ['Bets against the draw.', 'rules/outcome', { outcome: { role: 'draw' }, filter: { side: 'LAY' } }],
    ['Bets for the outcome "Arsenal".', 'rules/outcome', { outcome: { label: 'Arsenal' } }],
    ['Bets for the second outcome of the market.', 'rules/outcome', { outcome: { index: 1 } }],
    ['Bets against the favourite.', 'rules/outcome', { outcome: { favouriteRank: 1 }, filter: { side: 'LAY' } }],
    ['Bets for number 2 of the outcomes, the most probable first.', 'rules/outcome', { outcome: { favouriteRank: 2 } }],
    ['Bets for each outcome that the rules permit.', 'rules/outcome', { outcome: 'each' }],
    ['Not earlier than 1d before the start.', 'rules/window/from', { window: { fromMs: -86_400_000 } }],
    ['Not later than the start.', 'rules/window/to', { window: { toMs: 0 } }],
    ['Not later than 10m after the start.', 'rules/window/to', { window: { toMs: 600_000 } }],
    ['Only before the game starts.', 'rules/phase', {}],
    ['Only while the game is on.', 'rules/phase', { phase: 'in_play' }],
    ['Before the game and while it is on.', 'rules/phase', { phase: 'any' }],
    ['Only at net decimal odds of 1.5 or longer.', 'rules/filter/min_odds', { filter: { minOdds: 1_500_000n } }],
    ['Only at net decimal odds of 3 or shorter.', 'rules/filter/max_odds', { filter: { maxOdds: 3_000_000n } }],
    [
      'Only with an expected yield of 2 % or more, net of fees.',
      'rules/filter/min_edge',
      { filter: { minEdge: 20_000n } },
    ],
    [
      'Only while the best bid and ask are 0.05 apart or less.',
      'rules/filter/max_spread',
      { filter: { maxSpread: price('0.05') } },
    ],
    [
      'Only where the book offers 100 USDC at prices that the rules permit.',
      'rules/filter/min_liquidity_usdc',
      { filter: { minLiquidity: usdc('100') } },
    ],
    [
      'Only while the price is within 0.03 of the first one seen.',
      'rules/filter/max_drift',
      { filter: { maxDrift: price('0.03') } },
    ],
    ['Only on a book that is 5s old or less.', 'rules/filter/max_book_age', { filter: { maxBookAgeMs: 5000 } }],
    [
      'Only while the best asks of all outcomes add up to 1.04 or less.',
      'rules/filter/max_overround',
      { filter: { maxOverround: 40_000n } },
    ],
    ['Stakes 2 % of the free bankroll.', 'rules/sizing', sized('fixed_fraction', '0.02')],
    ['Stakes 10 USDC.', 'rules/sizing', sized('flat', '10')],
    ["Stakes 25 % of what Kelly's formula gives.", 'rules/sizing', sized('kelly', '0.25')],
    ['Stakes what wins 20 USDC.', 'rules/sizing', sized('to_win', '20')],
    ['Stakes so that 20 USDC can be lost.', 'rules/sizing', sized('fixed_liability', '20')],
    [
      'Stakes up to 2 % of the free bankroll, in proportion to the edge.',
      'rules/sizing',
      sized('edge_proportional', '0.02'),
    ],
    [
      'Stakes the whole fraction at an edge of 10 % or more.',
      'rules/sizing/reference_edge',
      sized('edge_proportional', '0.02'),
    ],
    ['Divides 100 USDC among the outcomes, so that each pays the same.', 'rules/sizing', sized('dutch', '100')],
    ['Once on one outcome.', 'rules/limits/max_bets_per_outcome', {}],
    ['At most 2 times in one market.', 'rules/limits/max_bets_per_market', { limits: { maxBetsPerMarket: 2 } }],
    ['At most 3 times in one event.', 'rules/limits/max_bets_per_event', { limits: { maxBetsPerEvent: 3 } }],
    ['At most 9 times a day.', 'rules/limits/max_bets_per_day', { limits: { maxBetsPerDay: 9 } }],
    ['With at most 5 open at a time.', 'rules/limits/max_open', { limits: { maxOpen: 5 } }],
    ['With 5m or more between two bets on one outcome.', 'rules/limits/cooldown', {}],
    [
      'Never with more than 25 USDC to lose in one event.',
      'rules/limits/event_loss',
      { limits: { eventLoss: usdc('25') } },
    ],
    ['No more bets on a day that has lost 30 USDC.', 'rules/limits/daily_loss', { limits: { dailyLoss: usdc('30') } }],
    ['Orders fill what they can at once, and drop the rest.', 'rules/order/time_in_force', {}],
    ['Orders fill completely at once, or not at all.', 'rules/order/time_in_force', { order: { timeInForce: 'FOK' } }],
    ['Orders rest until they fill or are cancelled.', 'rules/order/time_in_force', { order: { timeInForce: 'GTC' } }],
    ['Cancels what has not filled after 1m.', 'rules/order/give_up_after', { order: { timeInForce: 'GTC' } }],
    ['', 'rules/order/give_up_after', { order: { timeInForce: 'FOK' } }],
    ['Pays at most 0.02 more than the best price.', 'rules/order/max_slippage', {}],
    [
      'Sells once it brings 20 % more than it cost.',
      'rules/exit/take_profit',
      { exit: { takeProfit: { gain: 200_000n } } },
    ],
    ['Sells at a price of 0.3 or below.', 'rules/exit/stop', { exit: { stop: { price: price('0.3') } } }],
    ['Sells 10m before the game starts.', 'rules/exit/before_start', { exit: { beforeStartMs: 600_000 } }],
    ['Sells 2d after the first purchase.', 'rules/exit/after', { exit: { afterMs: 172_800_000 } }],
    [
      'Sells once holding is expected to yield less than 1 %.',
      'rules/exit/edge_below',
      { exit: { edgeBelow: 10_000n } },
    ],
    [
      'Takes the probability from the signal mine, and never bets without it.',
      'rules/signal',
      { signal: { name: 'mine', required: true } },
    ],
    [
      'Takes the probability from the signal mine while there is one.',
      'rules/signal',
      { signal: { name: 'mine', required: false } },
    ],
    [
      'Takes the probability from the signal mine, and never bets without it.',
      'rules/signal',
      { signal: { name: 'mine', required: false }, filter: { minEdge: 20_000n } },
    ],
    ['Never has more than 1000 USDC at work.', 'bankroll_cap', {}],
    ['Never stakes more than 50 USDC at once.', 'stake_cap', {}],
  ])('%s', (sentence, pointer, changes) => {
    expect(said(pointer, changes)).toBe(sentence);
  });

  it('what its automation lets it do, with the bounds that hold then', () => {
    expect(said('automation')).toContain('Does nothing by itself');
    expect(said('automation_paper')).toBe('');
    expect(said('rules/limits/event_loss')).toBe('');
    const auto = { automation: 'auto', automationPaper: true } as const;
    expect(said('automation', {}, auto)).toBe('Orders by itself.');
    expect(said('automation_paper', {}, auto)).toBe('On paper.');
    expect(said('rules/limits/event_loss', {}, auto)).toBe('Never with more than 50 USDC to lose in one event.');
    expect(said('rules/limits/event_loss', { limits: { eventLoss: null } }, auto)).toBe('');
    const live = { automation: 'auto', automationPaper: false } as const;
    expect(said('automation_paper', {}, live)).toContain('With real money');
    expect(said('automation_paper', {}, { ...live, paperOnly: true })).toContain('Orders nothing');
    expect(said('is_paused', {}, { isPaused: true })).toBe('Orders nothing while it is paused.');
    expect(said('is_paused')).toBe('');
    expect(said('automation', {}, { automation: 'approve' })).toBe(
      'Asks a person before each bet, and orders nothing that was not approved within 10m.',
    );
    expect(said('automation', { order: { approveWithinMs: 7_200_000 } }, { automation: 'approve' })).toContain(
      'within 2h.',
    );
  });
});
