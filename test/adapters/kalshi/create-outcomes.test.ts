import { describe, expect, test } from 'vitest';
import { CREATE_ROWS, createOutcome } from '../../../src/adapters/kalshi/http/create-outcomes.js';
import type { Delivery } from '../../../src/adapters/transport/send-once.js';
import { shares } from '../../support/builders.js';

const OURS = '00000000-0000-4000-8000-000000000001';
const TAKEN = { order_id: 'v-1', client_order_id: OURS, fill_count: '0.00', remaining_count: '3.00' };

const answered = (status: number, body: unknown, type = 'application/json'): Delivery => ({
  kind: 'answered',
  status,
  headers: { 'content-type': type },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** The shapes that the venue complains in (`kalshi.md` 2.3). */
const nested = (code: string, details = '') => ({ error: { code, message: code.replaceAll('_', ' '), details } });
const flat = (code: string, message = code) => ({ code, message, details: '' });

const outcomeOf = (status: number, body: unknown) => createOutcome(answered(status, body), OURS);

/** By rows of `kalshi.md` 11.6 and hazards: the answer, and what it proves. */
const ANSWERS: readonly (readonly [row: string, status: number, body: unknown, proves: object])[] = [
  ['24', 201, {}, { kind: 'unknown', code: 'no_reason' }],
  ['24: K25', 200, nested('insufficient_balance'), { kind: 'rejected', code: 'venue_rejected' }],
  ['25', 201, { ...TAKEN, client_order_id: 'another' }, { kind: 'identity_mismatch', clientOrderId: 'another' }],
  ['26', 400, nested('invalid_order_size'), { kind: 'rejected', code: 'payload_refused' }],
  ['26, flat', 400, flat('invalid_price'), { kind: 'rejected', code: 'invalid_tick' }],
  ['26, in words', 400, { error: 'bad request' }, { kind: 'rejected', code: 'venue_rejected' }],
  ['26, of a validation', 400, { msg: 'side: unknown' }, { kind: 'rejected', code: 'venue_rejected' }],
  ['27: K15', 400, nested('insufficient_balance'), { kind: 'rejected', code: 'insufficient_funds' }],
  ['27', 409, nested('fill_or_kill_insufficient_resting_volume'), { kind: 'rejected', code: 'fok_not_filled' }],
  ['27', 400, nested('invalid_order', 'post only cross'), { kind: 'rejected', code: 'post_only_would_cross' }],
  ['27', 400, nested('invalid_order', 'expiration in the past'), { kind: 'rejected', code: 'invalid_expiration' }],
  ['28: K2', 409, nested('order_already_exists'), { kind: 'duplicate' }],
  ['28: K2', 409, nested('ORDER_ALREADY_EXISTS_7f3a'), { kind: 'duplicate' }],
  ['28: K2', 409, nested('of_tomorrow'), { kind: 'unknown', code: 'undocumented_answer' }],
  ['29: K25', 410, nested('gone'), { kind: 'rejected', code: 'order_version_mismatch', halt: true }],
  [
    '30: K18',
    401,
    nested('header_timestamp_expired'),
    { kind: 'rejected', code: 'unauthorized', retry: 'fresh_clock' },
  ],
  ['30', 401, nested('authentication_error'), { kind: 'rejected', code: 'unauthorized', retry: null, halt: true }],
  ['31: K17', 403, nested('region_attestation'), { kind: 'rejected', code: 'region_attestation_expired', halt: true }],
  ['31', 403, nested('insufficient_scope'), { kind: 'rejected', code: 'forbidden', halt: true }],
  ['32: K19', 409, nested('trading_is_paused'), { kind: 'not_processed', code: 'trading_disabled' }],
  ['33: K19', 409, nested('exchange_is_paused'), { kind: 'not_processed', code: 'trading_disabled' }],
  ['34', 429, nested('too_many_requests'), { kind: 'not_processed', code: 'throttled' }],
  ['36', 500, nested('internal_server_error'), { kind: 'unknown', code: 'venue_failed' }],
  ['37', 503, nested('exchange_unavailable'), { kind: 'unknown', code: 'venue_failed' }],
  ['45', 404, nested('market_not_found'), { kind: 'rejected', code: 'market_unlisted' }],
  ['69: K20', 409, nested('market_closed'), { kind: 'rejected', code: 'market_closed' }],
  ['70', 400, nested('market_inactive'), { kind: 'rejected', code: 'market_closed' }],
];

describe('an answer to an order at Kalshi', () => {
  test('that names the order accepts it, with what was filled', () => {
    expect(outcomeOf(201, { ...TAKEN, fill_count: '1.50', remaining_count: '1.50' })).toEqual({
      kind: 'accepted',
      orderId: 'v-1',
      filled: shares('1.5'),
      remaining: shares('1.5'),
    });
  });

  test.each(ANSWERS)('of row %s, %i %j, proves %j', (_, status, body, proves) => {
    expect(outcomeOf(status, body)).toMatchObject(proves);
  });

  test.each([
    ['K8: no count', { order_id: 'v-1', client_order_id: OURS, remaining_count: '3.00' }],
    ['K9: a count finer than a hundredth', { ...TAKEN, fill_count: '1.005' }],
    ['a count below zero', { ...TAKEN, fill_count: '-1.00' }],
    ['no order', { ...TAKEN, order_id: '' }],
  ])('with %s proves nothing', (_, body) => {
    expect(outcomeOf(201, body)).toMatchObject({ kind: 'unknown' });
  });

  test.each([
    ['a page of a gateway', 409, '<html>409</html>', 'text/html'],
    ['half of a text', 201, '{"order_id":"v', 'application/json'],
    ['nothing', 201, '', 'application/json'],
  ])('that is %s proves nothing', (_, status, body, type) => {
    expect(createOutcome(answered(status, body, type), OURS)).toMatchObject({ kind: 'unknown', status });
  });

  test('of every row of the table is among these', () => {
    const reached = new Set(
      ANSWERS.flatMap(([, status, body]) => {
        const outcome = outcomeOf(status, body);
        return 'code' in outcome ? [outcome.code] : [outcome.kind];
      }),
    );
    const missing = CREATE_ROWS.filter(({ verdict, status: [status = 0] }) => {
      const outcome = verdict({
        status,
        form: 'json',
        accepted: null,
        complaint: { code: 'x', message: '', details: '' },
      });
      return !reached.has('code' in outcome ? outcome.code : outcome.kind);
    });
    expect(missing.map(({ cites, code }) => [cites, code])).toEqual([
      ['2.3', ['self_cross_attempt']],
      ['2.3, 9', ['exceeded_per_market_risk', 'exceeded_order_group', 'risk_limit']],
    ]);
  });
});
