import { describe, expect, test } from 'vitest';
import { PLACE_ROWS, placeOutcome } from '../../../../src/adapters/polymarket/http/place-outcomes.js';
import { error, HASH, outcome, PAGE, refusal, type Said } from '../http/place-answers.js';

describe('not processed, and may be sent again', () => {
  const mode = (text: string) => error(503, text);
  const cases: readonly [name: string, said: Said, code: string, waitMs: number | null][] = [
    ['row 32: 425 with words', error(425, 'engine is restarting'), 'engine_restarting', null],
    ['row 32: 425 without a body', { status: 425 }, 'engine_restarting', null],
    ['row 35: 429 without a time', error(429, 'Too Many Requests'), 'throttled', null],
    [
      'row 34: 429 with seconds',
      { ...error(429, 'Too Many Requests'), headers: { 'retry-after': '7' } },
      'throttled',
      7000,
    ],
    [
      'row 34: 429 with 10⁹',
      { ...error(429, 'Too Many Requests'), headers: { 'retry-after': '1000000000' } },
      'throttled',
      60_000,
    ],
    [
      'row 34: 429 with a negative time',
      { ...error(429, 'Too Many Requests'), headers: { 'retry-after': '-5' } },
      'throttled',
      null,
    ],
    [
      'row 34: 429 with a date gone by',
      { ...error(429, 'Too Many Requests'), headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } },
      'throttled',
      0,
    ],
    [
      'row 34: 429 with a date far ahead',
      { ...error(429, 'Too Many Requests'), headers: { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' } },
      'throttled',
      60_000,
    ],
    [
      'row 38: trading is disabled',
      mode('Trading is currently disabled. Check polymarket.com for updates'),
      'trading_disabled',
      null,
    ],
    ['row 38: cancel-only', mode('Trading is currently cancel-only. New orders are not accepted'), 'cancel_only', null],
    [
      'row 33: post-only after a restart',
      {
        status: 503,
        body: '{"error":"post-only mode: only post-only orders and cancels are allowed","code":"post_only_mode","retry_after_seconds":42}',
      },
      'post_only_mode',
      42_000,
    ],
  ];

  test.each(cases)('%s', (_name, said, code, waitMs) => {
    expect(outcome(said)).toMatchObject({ kind: 'not_processed', code, waitMs, halt: false });
  });
});

describe('unknown, since nothing is proved', () => {
  const cases: readonly [name: string, said: Said, code: string][] = [
    ['row 22: JSON that breaks off', { body: '{"success":tr' }, 'answer_unreadable'],
    ['an empty body', { body: '' }, 'answer_unreadable'],
    ['a body that is not an object', { body: '"OK"' }, 'answer_unreadable'],
    ['bytes that are not text', { body: '', headers: { 'content-encoding': 'gzip' } }, 'answer_unreadable'],
    ['row 23: a page with status 200', PAGE, 'answer_page'],
    ['row 23: a page without its type', { body: ' <!doctype html>' }, 'answer_page'],
    ['row 24: success without an id or a message', refusal(''), 'no_reason'],
    ['row 26: no success and no message', { body: { success: false } }, 'no_reason'],
    ['our id, but no success', { body: { success: false, orderID: HASH, errorMsg: 'no' } }, 'contradiction'],
    ['an id beside a refusal', { status: 400, body: { error: 'no', orderID: HASH } }, 'undocumented_answer'],
    ['400 of a request that was broken off', error(400, 'context canceled'), 'interrupted'],
    [
      '400 of a match that is delayed',
      error(400, 'order match delayed due to market conditions'),
      'delayed_without_id',
    ],
    ['400 as a page', { ...PAGE, status: 400 }, 'answer_page'],
    ['400 without words', { status: 400, body: '{}' }, 'undocumented_answer'],
    ['401 as a page', { ...PAGE, status: 401 }, 'answer_page'],
    ['404 of something else', error(404, 'not found'), 'undocumented_answer'],
    ['425 as a page', { ...PAGE, status: 425 }, 'answer_page'],
    ['429 as a page', { ...PAGE, status: 429 }, 'answer_page'],
    ['429 with other words', error(429, 'slow down'), 'undocumented_answer'],
    ['row 36: 500', error(500, 'could not run the execution'), 'undocumented_answer'],
    ['row 36: 500 in words of a refusal', error(500, 'FOK orders are filled or killed'), 'undocumented_answer'],
    ['row 36: 500 that timed out', error(500, 'order timed out'), 'order_timed_out'],
    ['row 37: 502 as a page', { ...PAGE, status: 502 }, 'answer_page'],
    ['row 37: 504', error(504, 'gateway timeout'), 'undocumented_answer'],
    ['503 with other words', error(503, 'upstream connect error'), 'undocumented_answer'],
    ['row 42: a redirect', { status: 307, body: '{}' }, 'undocumented_answer'],
    ['another success', { status: 202, body: { success: true, orderID: HASH } }, 'undocumented_answer'],
  ];

  test.each(cases)('%s', (_name, said, code) => {
    expect(outcome(said)).toMatchObject({ kind: 'unknown', code, status: said.status ?? 200, halt: false });
  });

  test('and trading stops: 403 as a page of a gateway', () => {
    expect(outcome({ ...PAGE, status: 403 })).toMatchObject({ kind: 'unknown', code: 'gateway_page', halt: true });
  });

  test('rows 15 to 21: a silence', () => {
    expect(placeOutcome({ kind: 'silence', reason: 'timeout' }, HASH)).toMatchObject({
      kind: 'unknown',
      code: 'unheard',
      said: 'timeout',
      status: null,
    });
  });
});

test('row 18: an unsent order keeps its proof of not being sent', () => {
  const delivery = { kind: 'not_sent', reason: 'unreachable', waitMs: null } as const;
  expect(placeOutcome(delivery, HASH)).toEqual(delivery);
});

test('the venue’s text is kept short, printable and free of secrets', () => {
  const said = outcome(error(400, `bad\u0000\n\u202Ekey ${'s3cr'.repeat(11)} ${'x '.repeat(400)}`));
  expect(said).toMatchObject({ said: expect.stringMatching(/^bad key … [\x20-\x7e…]{0,200}$/) });
  expect((said as { said: string }).said.length).toBeLessThanOrEqual(200);
});

test('every line of the table cites where it comes from', () => {
  for (const { cites } of PLACE_ROWS) expect(cites).toMatch(/^[0-9].*; R\d/);
});
