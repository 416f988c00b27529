import { describe, expect, test } from 'vitest';
import { error, HASH, OTHER, outcome, refusal } from './place-answers.js';

describe('accepted', () => {
  test.each(['live', 'matched', 'delayed', 'unmatched', 'FROBBED'])('an order that is %s (rows 46, 47)', (status) => {
    const said = { success: true, errorMsg: '', orderID: HASH, status, makingAmount: '', takingAmount: '' };
    expect(outcome({ body: said })).toMatchObject({
      kind: 'accepted',
      venueOrderId: HASH,
      status: status.toLowerCase(),
    });
  });

  test('with its amounts to the last digit, as texts or as numbers', () => {
    const rest = `"success":true,"orderID":"${HASH.toUpperCase().replace('0X', '0x')}","status":"matched"`;
    expect(outcome({ body: `{${rest},"makingAmount":"10","takingAmount":"14.925372"}` })).toMatchObject({
      kind: 'accepted',
      making: '10',
      taking: '14.925372',
    });
    expect(outcome({ body: `{${rest},"takingAmount":9007199254.740993,"tradeIDs":["t1"]}` })).toMatchObject({
      taking: '9007199254.740993',
      tradeIds: ['t1'],
    });
  });

  test('whatever is wrong with its details', () => {
    const said = { success: true, orderID: HASH, status: { a: 1 }, makingAmount: [], tradeIDs: 'none' };
    expect(outcome({ body: said })).toMatchObject({ kind: 'accepted', status: '', making: '', tradeIds: [] });
  });
});

describe('rejected, with proof', () => {
  const texts: readonly [text: string, code: string][] = [
    ['Invalid order payload', 'payload_refused'],
    ['not enough balance / allowance: the balance is not enough', 'insufficient_funds'],
    ['order 0x1 is invalid. Price (0.513) breaks minimum tick size rule: 0.01', 'invalid_tick'],
    ['order 0x1 is invalid. Size (1) lower than the minimum: 5', 'size_below_minimum'],
    ['invalid amount for a marketable BUY order ($0.4), min size: $1', 'notional_below_minimum'],
    ['invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals', 'amount_precision'],
    ['order 0x1 crosses the book', 'order_crosses'],
    ['invalid post-only order: order crosses book', 'post_only_would_cross'],
    ['invalid expiration', 'invalid_expiration'],
    ["order couldn't be fully filled. FOK orders are fully filled or killed.", 'fok_not_filled'],
    [
      'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
      'fak_no_match',
    ],
    ['the market is not yet ready to process new orders', 'market_not_accepting_orders'],
    ['order canceled in the CTF exchange contract', 'cancelled_on_chain'],
    ['Too many orders in payload: 16, max allowed: 15', 'payload_refused'],
    ['a text of tomorrow', 'venue_rejected'],
  ];
  const halts: readonly [text: string, code: string][] = [
    ['order_version_mismatch', 'order_version_mismatch'],
    ['invalid order version, please use the latest clob-client', 'order_version_mismatch'],
    ['the order owner has to be the owner of the API KEY', 'key_not_of_signer'],
    ['the order signer address has to be the address of the API KEY', 'key_not_of_signer'],
    ['maker address not allowed, please use the deposit wallet flow', 'wallet_type_refused'],
    ["'0xf39f' address banned", 'address_banned'],
    ["'0xf39f' address in closed only mode", 'closed_only'],
  ];

  test.each(texts)('row 27: %s', (text, code) => {
    expect(outcome(error(400, text))).toMatchObject({ kind: 'rejected', code, halt: false, retry: null });
    expect(outcome(refusal(text))).toMatchObject({ kind: 'rejected', code });
  });

  test.each(halts)('and trading stops (rows 29, 31): %s', (text, code) => {
    expect(outcome(error(400, text))).toMatchObject({ kind: 'rejected', code, halt: true });
  });

  test('row 24: success with a message and an empty or absent id', () => {
    for (const id of ['', null, undefined]) {
      expect(outcome(refusal('no', id))).toMatchObject({ kind: 'rejected', code: 'venue_rejected', said: 'no' });
    }
    expect(outcome({ body: { success: false, orderID: null, errorMsg: 'Insufficient balance' } }).kind).toBe(
      'rejected',
    );
  });

  test('row 30: 401 allows the same bytes once, with headers made anew', () => {
    expect(outcome(error(401, 'Unauthorized/Invalid api key'))).toMatchObject({
      kind: 'rejected',
      code: 'unauthorized',
      retry: 'same_bytes_fresh_clock',
      halt: true,
    });
  });

  test('row 31: 403 in the venue’s words', () => {
    const region = 'Trading restricted in your region, please refer to available regions - …';
    expect(outcome(error(403, region))).toMatchObject({ kind: 'rejected', code: 'region_restricted', halt: true });
    expect(outcome(error(403, 'no'))).toMatchObject({ kind: 'rejected', code: 'forbidden', halt: true });
  });

  test('row 69: 404 of a market that is gone', () => {
    for (const text of ['No orderbook exists for the requested token id', 'market not found']) {
      expect(outcome(error(404, text))).toMatchObject({ kind: 'rejected', code: 'market_closed' });
    }
  });
});

test('row 28: a duplicate proves an earlier copy, neither accepted nor refused', () => {
  const text = `order ${HASH} is invalid. Duplicated. Same order has already been placed`;
  expect(outcome(error(400, text))).toEqual({ kind: 'duplicate' });
  expect(outcome(refusal(text))).toEqual({ kind: 'duplicate' });
});

test('row 25: an id other than our hash raises its own alarm', () => {
  const said = { success: true, errorMsg: '', orderID: OTHER, status: 'live' };
  expect(outcome({ body: said })).toEqual({ kind: 'identity_mismatch', venueOrderId: OTHER });
});
