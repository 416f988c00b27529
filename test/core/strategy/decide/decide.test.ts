import { describe, expect, it } from 'vitest';
import type { VenueName } from '../../../../src/core/ids.js';
import { conditionsHold } from '../../../../src/core/strategy/decide/decide.js';
import { aStrategy, price, shares, usdc } from '../../../support/builders.js';
import { FIVE_PERCENT } from '../../../support/scripted-market.js';
import { aBook, aGame, decided, HOUR, type InputChanges, inMs, likely, NO_BETS } from './view.js';

const MINUTE = 60_000;
const used = { ...NO_BETS, onOutcome: 1, onMarket: 1, onEvent: 1, today: 1, open: 1, lastAt: inMs(-HOUR) };
const three = { maxBetsPerOutcome: 3 };
const needsModel = { signal: { name: 'model', required: true } };

/** Why nothing is bet, and the inputs that are the reason; all else allows the bet. */
const SKIPS: readonly (readonly [code: string, inputs: InputChanges])[] = [
  ['not_matched:sport', { market: aGame({}, { sport: 'soccer' }) }],
  ['input_missing:sport', { market: aGame({}, { sport: null }) }],
  ['not_matched:league', { rules: { match: { league: ['EPL', 'MLS'] } } }],
  ['not_matched:market', { rules: { match: { market: 'total' } } }],
  ['not_matched:venue', { rules: { match: { venue: ['kalshi', 'polymarket'] } } }],
  ['not_matched:venue', { defaultVenue: 'polymarket' as VenueName }],
  ['not_matched:events', { rules: { match: { events: ['78', 'nba-mil'] } } }],
  ['input_missing:event', { market: aGame({}, { event: null }), rules: { match: { events: ['77'] } } }],
  ['not_matched:text', { rules: { match: { text: 'bucks lakers' } } }],
  ['not_matched:outcome', { rules: { outcome: { label: 'thunder' } } }],
  ['strategy_paused', { strategy: aStrategy({ isPaused: true }) }],
  ['not_matched:status', { market: aGame({}, { status: 'suspended' }) }],
  ['input_missing:status', { market: aGame({}, { status: null }) }],
  ['market_not_accepting_orders', { market: aGame({ acceptingOrders: false }) }],
  ['input_missing:terms', { market: aGame({}, { terms: null }) }],
  ['fee_unknown', { market: aGame({ fee: null }) }],
  ['in_play_not_allowed', { market: aGame({}, { startsAt: inMs(0) }) }],
  ['in_play_not_allowed', { market: aGame({}, { status: 'in_play' }) }],
  ['input_missing:starts_at', { market: aGame({}, { startsAt: null }) }],
  ['not_in_play', { rules: { phase: 'in_play' } }],
  ['too_early', { rules: { window: { fromMs: -30 * MINUTE } } }],
  ['too_close_to_start', { rules: { window: { toMs: -2 * HOUR } } }],
  ['input_missing:book', { book: null }],
  ['market_data_stale', { book: aBook('0.48x100', '0.5x100', { fresh: false }) }],
  [
    'market_data_stale',
    { book: aBook('0.48x100', '0.5x100', { at: inMs(-2000) }), rules: { filter: { maxBookAgeMs: 1000 } } },
  ],
  ['input_missing:asks', { book: aBook('0.48x100', '') }],
  ['suspicious_book', { book: aBook('0.5x100', '0.5x100') }],
  ['spread_too_wide', { rules: { filter: { maxSpread: price('0.01') } } }],
  ['input_missing:bids', { book: aBook('', '0.5x100'), rules: { filter: { maxSpread: price('0.01') } } }],
  ['price_drifted', { firstPrice: price('0.47'), rules: { filter: { maxDrift: price('0.02') } } }],
  ['input_missing:first_price', { rules: { filter: { maxDrift: price('0.02') } } }],
  ['overround_too_high', { rules: { filter: { maxOverround: 10_000n } } }],
  ['liquidity_too_low', { rules: { filter: { minLiquidity: usdc('311') } } }],
  ['input_missing:probability', { rules: needsModel }],
  ['input_missing:mid', { rules: needsModel, estimate: likely(550_000n), book: aBook('', '0.5x100') }],
  ['signal_expired', { rules: needsModel, estimate: likely(550_000n, inMs(0)) }],
  ['implausible_signal', { rules: needsModel, estimate: likely(740_000n) }],
  ['odds_out_of_range', { rules: { filter: { minOdds: 2_000_001n } } }],
  ['odds_out_of_range', { rules: { filter: { maxOdds: 1_999_999n } } }],
  ['no_edge', { estimate: likely(510_000n), rules: { ...needsModel, filter: { minEdge: 20_001n } } }],
  ['implausible_signal', { rules: { signal: { name: 'model', required: false } }, estimate: likely(240_000n) }],
  ['no_edge', { estimate: likely(500_000n), rules: { ...needsModel, sizing: { method: 'kelly', value: 250_000n } } }],
  ['slot_used', { bets: used }],
  ['slot_used', { bets: { ...used, rearmed: false }, rules: { limits: three } }],
  ['cooldown', { bets: { ...used, lastAt: inMs(-MINUTE) }, rules: { limits: { ...three, cooldownMs: 2 * MINUTE } } }],
  ['max_bets_exceeded', { bets: used, rules: { limits: { ...three, maxBetsPerMarket: 1 } } }],
  ['max_bets_exceeded', { bets: used, rules: { limits: { ...three, maxBetsPerEvent: 1 } } }],
  ['max_bets_exceeded', { bets: used, rules: { limits: { ...three, maxBetsPerDay: 1 } } }],
  ['max_open_exceeded', { bets: used, rules: { limits: { ...three, maxOpen: 1 } } }],
  ['benched', { benched: true }],
  ['input_missing:event_loss_usdc', { limitsLeft: [{ name: 'event_loss_usdc', left: null }] }],
  ['below_minimum', { rules: { sizing: { method: 'flat', value: usdc('2.49') } } }],
  ['below_minimum', { freeCash: usdc('2') }],
];

describe('A strategy', () => {
  it('bets what its rules say, at the worst level within its slippage', () => {
    expect(decided()).toMatchObject({
      verdict: 'bet',
      code: null,
      token: 'YES',
      outcomeLabel: 'Bucks',
      price: price('0.52'),
      size: usdc('10'),
      shares: shares('20'),
      cost: usdc('10'),
      odds: 2_000_000n,
      edge: null,
      boundBy: 'method',
      slot: 1,
    });
  });

  it.each(SKIPS)('skips with %s', (code, inputs) => {
    expect(decided(inputs)).toMatchObject({ verdict: 'skip', code, price: null, size: null, shares: null, cost: null });
  });

  it('lays an outcome at its odds by buying its complement', () => {
    const laid = decided({ rules: { filter: { side: 'LAY', maxOdds: 2_083_334n } } });
    // The bid of 0.48 is an offer of the complement at 0.52; laying 48 cents is odds of 1/0.48.
    expect(laid).toMatchObject({ token: 'NO', outcomeLabel: 'Thunder', price: price('0.52'), odds: 2_083_334n });
    expect(decided({ rules: { filter: { side: 'LAY', maxOdds: 2_083_333n } } })).toMatchObject({
      code: 'odds_out_of_range',
    });
  });

  it('lists every restricting rule, also after the first that fails', () => {
    const { rules } = decided({
      estimate: null,
      rules: { ...needsModel, filter: { minOdds: 3_000_000n }, match: { league: 'EPL' } },
    });
    const listed = rules.map(({ rule, passed }) => [rule, passed]);
    expect(listed).toContainEqual(['match/league', false]);
    expect(listed).toContainEqual(['signal', null]);
    expect(rules).toContainEqual({ rule: 'filter/min_odds', value: '2', bound: '3', passed: false });
    expect(listed).toContainEqual(['limits/max_bets_per_outcome', true]);
  });

  it('tests odds and edge with the fee', () => {
    const market = aGame({ fee: FIVE_PERCENT });
    // 0.50 and a fee of 0.0125.
    expect(decided({ market, rules: { filter: { minOdds: 1_951_219n } } })).toMatchObject({ verdict: 'bet' });
    expect(decided({ market, rules: { filter: { minOdds: 1_951_220n } } })).toMatchObject({
      code: 'odds_out_of_range',
    });
  });

  it('buys no level past its odds, even if the average holds', () => {
    const bet = decided({ rules: { filter: { minOdds: 1_950_000n }, sizing: { method: 'flat', value: usdc('100') } } });
    expect(bet).toMatchObject({ price: price('0.5'), shares: shares('100'), cost: usdc('50'), boundBy: 'depth' });
  });

  it('names the cap that bound the bet', () => {
    const sizing = { method: 'flat', value: usdc('200') } as const;
    const bound = (changes: InputChanges) => decided({ rules: { sizing }, ...changes }).boundBy;
    expect(bound({})).toBe('method');
    expect(bound({ strategy: aStrategy({ bankrollCap: usdc('1000'), stakeCap: usdc('20') }) })).toBe('stake_cap');
    expect(bound({ committed: usdc('900') })).toBe('bankroll');
    expect(bound({ limitsLeft: [{ name: 'event_loss_usdc', left: usdc('30') }] })).toBe('event_loss_usdc');
    expect(bound({ freeCash: usdc('30') })).toBe('free_cash');
    expect(bound({ venueMaximum: usdc('30') })).toBe('venue_maximum');
    expect(bound({ book: aBook('0.48x100', '0.5x30') })).toBe('depth');
  });

  it('knows a skip whose conditions were all true', () => {
    expect([decided(), decided({ benched: true }), decided({ bets: used })].map(conditionsHold)).toEqual([
      true,
      true,
      true,
    ]);
    expect(conditionsHold(decided({ book: null }))).toBe(false);
  });
});
