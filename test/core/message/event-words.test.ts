import { describe, expect, test } from 'vitest';
import { BY_OPERATOR } from '../../../src/core/account/account.js';
import { ALARM_KINDS, type AlarmKind } from '../../../src/core/alarm/alarm.js';
import type { VenueName } from '../../../src/core/ids.js';
import { EVENT_TYPES } from '../../../src/core/ledger/event-log.js';
import { type Limits, NO_LIMITS } from '../../../src/core/limits/limits.js';
import { eventWords } from '../../../src/core/message/event-words.js';
import { isOfInterest, isUrgent, NEWS_TYPES } from '../../../src/core/message/interest.js';
import type { OrderChange } from '../../../src/core/order/event.js';
import { refusal } from '../../../src/core/order/order.js';
import { outcomeWords, plainText } from '../../../src/core/order/order-words.js';
import { skipOf } from '../../../src/core/strategy/decide/decide.js';
import type { TradingState } from '../../../src/core/trading/state.js';
import { ALICE, aStrategy, NOON, usdc } from '../../support/builders.js';
import { aBet, anApproval } from '../../support/builders-of-bets.js';
import { anAlarm, arsenal, becoming, clock, happened } from './news-builders.js';

const DEMO = 'elsewhere_demo' as VenueName;
const at = new Date(NOON);
const words = (news: Parameters<typeof eventWords>[0]) => eventWords(news, clock);
const halted = (code: string) =>
  happened('account.halted', {
    kind: 'account',
    account: { id: ALICE, liveEnabled: true, halt: { code, message: 'The venue reports 10 more.', at } },
  });
const trading = (changes: Partial<TradingState>) =>
  happened('trading.state', {
    kind: 'trading',
    state: {
      scope: 'account',
      state: 'halted',
      stops: 'all',
      reason: 'going home',
      by: 'key:4f1c',
      since: at,
      until: null,
      code: null,
      ...changes,
    } as TradingState,
  });

describe('a bet that waits for a person', () => {
  const over = (game: string | null, question: string | null) => {
    const decision = aBet({ outcomeLabel: 'Over', event: game, question, orderId: null });
    return words(happened('approval.waiting', { kind: 'approval', approval: anApproval({ decision }) }));
  };

  test('is described by its game, market and outcome', () => {
    const [lakers, celtics] = ['Lakers against Celtics', 'Celtics against Bucks'].map((game) =>
      over(game, 'Total above 212.5'),
    );
    expect(lakers).toContain('Lakers against Celtics: Total above 212.5: Over for 20.13 USDC');
    expect(celtics).toContain('Celtics against Bucks: Total above 212.5: Over');
  });

  test('is described by what is known of its market', () => {
    expect(over(null, 'Total above 212.5')).toContain(' Total above 212.5: Over for');
    expect(over('Final', null)).toContain(' Final: Over for');
    expect(over('Final', 'Final')).toContain(' Final: Over for');
    expect(over(null, null)).toMatch(/ \S+: Over for/);
  });
});

describe('what a person reads', () => {
  test.each<[OrderChange, string]>([
    [
      { type: 'denied', refusal: refusal('bankroll_exceeded', 'The bankroll is spent.') },
      'BUY 35.08 Arsenal YES at 0.57 denied: The bankroll is spent (bankroll_exceeded), real money, Home favourites v3',
    ],
    [
      { type: 'expired', reason: 'its time was over' },
      'BUY 35.08 Arsenal YES at 0.57 expired: its time was over, real money, Home favourites v3',
    ],
    [{ type: 'submitting' }, 'BUY 35.08 Arsenal YES at 0.57 is sent to none, real money, Home favourites v3'],
  ])('%o', (change, line) => {
    expect(words(becoming(arsenal({ paper: false }), change))).toBe(line);
  });

  test("of a venue's demo is play money, and never real", () => {
    const sent = becoming(arsenal({ paper: false, venue: DEMO }), { type: 'submitting' });
    expect(words(sent)).toBe('BUY 35.08 Arsenal YES at 0.57 is sent to elsewhere_demo, play money, Home favourites v3');
    const moved = { paper: false, venue: DEMO, amount: usdc('100'), strategyId: null };
    expect(words(happened('cash.deposited', { kind: 'cash', moved }))).toBe(
      'Cash in: 100.00 USDC, play money, elsewhere_demo',
    );
  });

  test('of a halt is why', () => {
    expect(words(halted('contradiction'))).toBe('HALTED, live: The venue reports 10 more.');
    expect(words(trading({}))).toBe('HALTED, account: going home, by key:4f1c');
    expect(words(trading({ state: 'reducing', stops: 'live', until: at }))).toBe(
      'REDUCING (live), account: going home, by key:4f1c, until 12:00',
    );
    expect(words(trading({ state: 'active' }))).toBe('Trading again, account: going home, by key:4f1c');
  });

  test('of an alarm is what it means and what to do', () => {
    const alarm = anAlarm({ kind: 'disk_low', detail: 'The disk of the database has 400 MB left.' });
    expect(words(happened('alarm.raised', { kind: 'alarm', alarm }))).toBe(
      'ALARM: Disk space is short. The disk of the database has 400 MB left. What to do: Make room, or move what the detail names to a larger disk; for tapes that take all that they may, raise RECORD_MAX_MB.',
    );
    expect(words(happened('alarm.cleared', { kind: 'alarm', alarm }))).toBe('Over: disk space is short');
  });

  test('of cash is how much came or went, and where', () => {
    const moved = { paper: false, venue: 'own', amount: usdc('100') } as never;
    expect(words(happened('cash.deposited', { kind: 'cash', moved }))).toBe('Cash in: 100.00 USDC, real money, own');
    expect(
      words(
        happened('cash.withdrawn', { kind: 'cash', moved: { ...(moved as object), amount: -1_000_001n } as never }),
      ),
    ).toBe('Cash out: 1.01 USDC, real money, own');
  });

  test('of a strategy or a key is what became of it', () => {
    const strategy = aStrategy();
    expect(words(happened('strategy.paused', { kind: 'strategy', strategy }, 'Home favourites v3'))).toBe(
      'Strategy Home favourites v3: paused',
    );
    expect(words(happened('strategy.paused', { kind: 'strategy', strategy }))).toBe(
      `Strategy ${strategy.name} v${strategy.version}: paused`,
    );
  });

  test('of limits names each with its figure', () => {
    const account = { id: ALICE, liveEnabled: false, halt: null };
    const changed = (limits: Limits) =>
      words(happened('account.limits_changed', { kind: 'account', account: { ...account, limits } }));
    expect(changed({ ...NO_LIMITS, orderUsdc: usdc('25'), openOrders: 20 })).toBe(
      'Limits of the account: one order 25, working orders at once 20',
    );
    expect(changed(NO_LIMITS)).toBe('The account has no limits');
  });

  test('of a bet that was refused names the figures that decided', () => {
    const rules = [{ rule: 'filter/min_odds', value: '1.45', bound: '1.5', passed: false }];
    const decision = skipOf({ ...aBet({ outcomeLabel: 'Over', orderId: null }), rules }, 'odds_out_of_range');
    const approval = anApproval({ state: 'refused', decision: { ...anApproval({}).decision, ...decision } });
    expect(words(happened('approval.refused', { kind: 'approval', approval }))).toMatch(
      /refused, paper\. The odds are 1\.45; the rules want 1\.5 or longer\.$/,
    );
  });
});

describe('an outcome', () => {
  const ID = `0x${'0123456789abcdef'.repeat(4)}`;
  const GAME = 'Arsenal – Chelsea';
  const named = (event: string | null, question: string | null, outcomeLabel: string | null) =>
    outcomeWords({ marketId: ID, event, question, outcome: 'YES', outcomeLabel });

  test('is called by its game and its own name', () => {
    expect(named(GAME, GAME, 'Arsenal')).toBe('Arsenal – Chelsea: Arsenal');
    expect(named(GAME, 'Who wins, Arsenal or Chelsea?', 'Arsenal')).toBe('Arsenal – Chelsea: Arsenal');
    expect(named(GAME, null, 'Arsenal')).toBe('Arsenal – Chelsea: Arsenal');
  });

  test('is called by the question too where that says more', () => {
    expect(named(GAME, `${GAME}: O/U 2.5`, 'Over')).toBe('Arsenal – Chelsea: O/U 2.5: Over');
    expect(named(GAME, 'Arsenal (-1.5)', 'Arsenal')).toBe('Arsenal – Chelsea: Arsenal (-1.5): Arsenal');
    expect(named(GAME, 'Will Arsenal win?', 'Yes')).toBe('Arsenal – Chelsea: Will Arsenal win? YES');
  });

  test('is called by what is on record of a market, at last by the end of its id', () => {
    expect(named(null, 'Who wins?', 'Arsenal')).toBe('Who wins? Arsenal');
    expect(named(null, 'Will Arsenal win?', 'No')).toBe('Will Arsenal win? NO');
    expect(named(null, null, 'Arsenal')).toBe('89abcdef: Arsenal');
    expect(named(null, null, null)).toBe('89abcdef YES');
  });

  test('cannot break lines, hide its text or fill the message', () => {
    expect(plainText('Arse\nnal\u202e\u200b')).toBe('Arse nal');
    expect(plainText('x'.repeat(500))).toHaveLength(200);
    expect(plainText('😀'.repeat(300)).isWellFormed()).toBe(true);
  });
});

describe('without a choice', () => {
  test('a person is notified of money moved and faults, not every step', () => {
    expect(isOfInterest(becoming(arsenal(), { type: 'submitting' }), [])).toBe(false);
    expect(isOfInterest(happened('alarm.raised', { kind: 'alarm', alarm: anAlarm() }), [])).toBe(true);
    expect(NEWS_TYPES.every((type) => EVENT_TYPES.includes(type))).toBe(true);
  });

  test('refusals of live orders are sent, those on paper are not', () => {
    const denied = { type: 'denied', refusal: refusal('paused', 'It is paused.') } as const;
    expect(isOfInterest(becoming(arsenal(), denied), [])).toBe(false);
    expect(isOfInterest(becoming(arsenal({ paper: false }), denied), [])).toBe(true);
    expect(isOfInterest(becoming(arsenal(), denied), ['order.denied'])).toBe(true);
  });

  test('what an alarm reports is not sent a second time', () => {
    expect(isOfInterest(halted('contradiction'), [])).toBe(false);
    expect(isOfInterest(halted(BY_OPERATOR), [])).toBe(true);
    expect(isOfInterest(trading({ by: 'service', code: 'daily_loss_exceeded' }), [])).toBe(false);
    expect(isOfInterest(trading({}), [])).toBe(true);
  });

  test('halts and severe alarms are urgent, fills and mild alarms are not', () => {
    const raised = (kind: AlarmKind) => happened('alarm.raised', { kind: 'alarm', alarm: anAlarm({ kind }) });
    expect([halted('x'), trading({}), raised('contradiction')].map(isUrgent)).toEqual([true, true, true]);
    expect(isUrgent(trading({ state: 'active' }))).toBe(false);
    expect(ALARM_KINDS.filter((kind) => !isUrgent(raised(kind)))).toEqual([
      'webhook_disabled',
      'feed_stale',
      'clock_off',
      'market_search_slow',
      'doctor',
    ]);
    expect(isUrgent(happened('alarm.cleared', { kind: 'alarm', alarm: anAlarm({ kind: 'contradiction' }) }))).toBe(
      false,
    );
  });
});
