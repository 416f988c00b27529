import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ALARM_KINDS } from '../../../src/core/alarm/alarm.js';
import { EVENT_TYPES, type EventType } from '../../../src/core/ledger/event-log.js';
import { NO_LIMITS } from '../../../src/core/limits/limits.js';
import { eventWords } from '../../../src/core/message/event-words.js';
import type { NewsData } from '../../../src/core/message/interest.js';
import type { OrderChange } from '../../../src/core/order/event.js';
import { type FoundRule, SKIP_REASONS, type SkipReason } from '../../../src/core/strategy/rules/skip-reasons.js';
import { ALICE, aStrategy, NOON, usdc } from '../../support/builders.js';
import { aBet, anApproval } from '../../support/builders-of-bets.js';
import { nodesOf, parse, type Source, sourcesIn } from '../../support/sources.js';
import { anAlarm, arsenal, clock, filled, happened } from '../message/news-builders.js';

const FIGURE = /\d|\b(one|two|five)\b/;
const said = (sentence: string): boolean => FIGURE.test(sentence);

/** Reasons of a strategy in which nothing was measured: what is so, or is not. */
const SKIPS_WITHOUT: Readonly<Record<string, string>> = {
  'not_matched:status': 'a status',
  strategy_paused: 'a switch',
  market_not_accepting_orders: 'a status of the venue',
  fee_unknown: 'what is not known',
  declined: 'the decision of a function, which says nothing more',
  approval_waiting: 'the bet that waits says its own figures',
  automation_changed: 'a switch',
  automation_key_revoked: 'a switch',
  no_fills: 'a book that is absent',
  exit_in_flight: 'the order on its way says its own figures',
};

/** Refusals of ours, and of the simulated venue in the words of Polymarket, in which nothing was measured. */
const REFUSALS_WITHOUT: Readonly<Record<string, string>> = {
  approval_required: 'what nobody approved',
  fee_unknown: 'what is not known',
  invalid_amounts: 'what cannot be written',
  invalid_expiration: 'a contradiction between two members',
  invalid_post_only: 'a contradiction between two members',
  live_disabled: 'a switch',
  market_closed: 'the words of the venue',
  market_data_stale: 'a book or a mark that is absent',
  market_not_accepting_orders: 'the words of the venue',
  market_terms_unknown: 'what is not known',
  market_unlisted: 'what is not known',
  post_only_would_cross: 'the words of the venue',
  strategy_archived: 'a switch',
  strategy_paper_only: 'a switch',
  strategy_paused: 'a switch',
};

/** Events that say only that something is so now. */
const EVENTS_WITHOUT: Readonly<Record<string, string>> = {
  'account.live_allowed': 'a switch',
  'account.live_disallowed': 'a switch',
  'account.released': 'a switch',
  'alarm.cleared': 'the end of what its alarm said',
};

/** What was found, where every rule found something. */
const FOUND: FoundRule = {
  rule: '',
  value: '1.23',
  bound: '1.5',
  outcome: 'Arsenal',
  boundBy: 'stake_cap',
  inputs: {
    starts_at: '2026-12-05T15:00:00Z',
    book_at: '2026-12-05T14:55:00Z',
    signal_expires_at: '2026-12-05T14:50:00Z',
    left_out: '12',
    best_bid: '0.4',
    held_shares: '35.08',
    bankroll_left: '3',
  },
};

describe('A sentence has a figure that decided, or its code has none:', () => {
  it('the reasons of decisions', () => {
    const reasons: readonly (readonly [string, SkipReason])[] = Object.entries(SKIP_REASONS);
    const silent = reasons.filter(([, [meaning, words]]) => !said(words?.(FOUND) ?? meaning));
    expect(silent.map(([code]) => code).sort()).toEqual(Object.keys(SKIPS_WITHOUT).sort());
  });

  it('the refusals of orders', () => {
    const folders = ['src/core/posting', 'src/core/matching', 'src/core/usecases', 'src/adapters/polymarket/execution'];
    const silent = new Set(sourcesIn(...folders).flatMap(silentRefusals));
    expect([...silent].sort()).toEqual(Object.keys(REFUSALS_WITHOUT).sort());
  });

  it('the details of alarms', () => {
    const makers = sourcesIn(
      'src/core/usecases/alarms',
      'src/core/usecases/commands',
      'src/core/account',
      'src/core/endpoint',
      'src/server/background',
    );
    expect(makers.flatMap(detailsIn).length).toBeGreaterThanOrEqual(ALARM_KINDS.length - 2);
    expect(makers.flatMap(detailsIn).filter((text) => !text.includes('${') && !said(text))).toEqual([]);
  });

  it('the lines of events', () => {
    const silent = EVENT_TYPES.filter((type) => !said(lineOf(type)));
    expect(silent.sort()).toEqual(Object.keys(EVENTS_WITHOUT).sort());
  });
});

it('a sentence without a figure would be found', () => {
  const probe = `refusal('a', 'Too much.'); refusal('b', \`Too much: \${c}.\`); const x = { detail: 'Late.' };`;
  const source = parse('src/core/probe.ts', probe);
  expect(silentRefusals(source)).toEqual(['a']);
  expect(detailsIn(source)).toEqual(['Late.']);
});

/** The codes of refusals whose sentence is the same each time, and has no figure. */
function silentRefusals(source: Source): string[] {
  return nodesOf(source, ts.isCallExpression).flatMap(({ expression, arguments: [code, words] }) => {
    if (expression.getText() !== 'refusal' || code === undefined || words === undefined) return [];
    return ts.isStringLiteralLike(code) && ts.isStringLiteralLike(words) && !said(words.text) ? [code.text] : [];
  });
}

/** The texts of `detail`, as they are written. */
function detailsIn(source: Source): string[] {
  const named = [...nodesOf(source, ts.isPropertyAssignment), ...nodesOf(source, ts.isVariableDeclaration)];
  return named.flatMap(({ name, initializer }) =>
    name.getText() === 'detail' && initializer !== undefined && /^[`']/.test(initializer.getText())
      ? [initializer.getText().slice(1, -1)]
      : [],
  );
}

const refusal = { code: 'stake_cap_exceeded', message: 'The order is above the cap: size 20, cap 10.' };
const at = new Date(NOON);

/** What is on record of an event of this type. */
function lineOf(type: EventType): string {
  const [subject = '', what = ''] = type.split('.');
  if (type === 'order.fill') return eventWords(filled(arsenal()), clock);
  if (subject === 'order') {
    const { order } = arsenal();
    const event = { order: order.id, seq: 2, at, change: changeOf(what) } as never;
    return eventWords(happened(type, { kind: 'order', order, event }), clock);
  }
  return eventWords(happened(type, dataOf(subject, type)), clock);
}

/** The member that some changes have beside their type. */
function changeOf(type: string): OrderChange {
  const more = {
    refusal,
    reason: 'it was asked for',
    delayed: false,
    returned: usdc('20'),
    tradeId: 't',
    resting: false,
  };
  return { type, ...more } as unknown as OrderChange;
}

function dataOf(subject: string, type: EventType): NewsData {
  const account = { id: ALICE, liveEnabled: true, halt: { code: 'x', message: 'The venue reports 10 more.', at } };
  switch (subject) {
    case 'strategy':
      return { kind: 'strategy', strategy: aStrategy() };
    case 'account':
      return { kind: 'account', account: { ...account, limits: { ...NO_LIMITS, openOrders: 20 } } };
    case 'cash':
      return { kind: 'cash', moved: { paper: false, venue: 'own', amount: usdc('100') } as never };
    case 'decision':
      return { kind: 'decision', decision: aBet() };
    case 'approval':
      return { kind: 'approval', approval: anApproval({ state: type.slice('approval.'.length) as never }) };
    default:
      return others(subject);
  }
}

function others(subject: string): NewsData {
  switch (subject) {
    case 'key':
      return { kind: 'key', key: { id: 'key00000-12345678', account: ALICE, scopes: [] } as never };
    case 'trading':
      return {
        kind: 'trading',
        state: {
          scope: 'account',
          state: 'halted',
          stops: 'all',
          reason: 'lost=50, cap=50',
          by: 'service',
          since: at,
          until: null,
          code: null,
        },
      };
    case 'losses':
      return { kind: 'losses', measured: { paper: true, start: usdc('1000') } as never };
    case 'alarm':
      return { kind: 'alarm', alarm: anAlarm({ detail: 'The disk of the database has 400 MB left.' }) };
    default:
      return {
        kind: 'webhook',
        endpoint: {
          id: '12345678',
          target: { kind: 'url', url: 'https://a.example/' },
          disabledBecause: null,
          skipped: null,
        } as never,
      };
  }
}
