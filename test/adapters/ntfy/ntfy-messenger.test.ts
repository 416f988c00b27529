import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NtfyMessenger } from '../../../src/adapters/ntfy/index.js';
import { AddressRule, EVERY_PORT } from '../../../src/adapters/transport/address-rule.js';
import { GuardedHttp } from '../../../src/adapters/transport/guarded-http.js';
import { DEFAULT_TERMS } from '../../../src/core/endpoint/message-terms.js';
import { FakeNtfy, NTFY_TOKEN, ntfyError, TOPIC } from '../../support/fake-messengers/fake-ntfy.js';
import type { Turn } from '../../support/fake-messengers/stand-in.js';

const TEXT = { title: 'Grüße', text: 'BUY 35.08 Arsenal YES', isUrgent: false };

let ntfy: FakeNtfy;
let http: GuardedHttp;
let messenger: NtfyMessenger;
const target = () => ({ kind: 'ntfy', url: ntfy.url, topic: TOPIC, terms: DEFAULT_TERMS }) as const;

beforeEach(async () => {
  ntfy = await FakeNtfy.start();
  http = new GuardedHttp(
    { allowHttp: true, addresses: new AddressRule(['127.0.0.1/32'], [EVERY_PORT]) },
    { overallMs: 400 },
  );
  messenger = new NtfyMessenger(http);
});
afterEach(async () => {
  await http.close();
  await ntfy.close();
});

test('a message arrives with its title, and what is urgent as such', async () => {
  expect(await messenger.send(target(), NTFY_TOKEN, TEXT)).toEqual({ kind: 'delivered' });
  expect(await messenger.send(target(), NTFY_TOKEN, { ...TEXT, isUrgent: true })).toEqual({ kind: 'delivered' });
  const usual = { topic: TOPIC, title: 'Grüße', message: TEXT.text, priority: 3 };
  expect(ntfy.published).toEqual([usual, { ...usual, priority: 5, tags: ['rotating_light'] }]);
});

test('a text of the maximum byte length is delivered without attachment', async () => {
  const { most } = messenger.limit;
  const whole = 'ü'.repeat(most / 2);
  expect(messenger.limit.sizeOf(whole)).toBe(most);
  expect(await messenger.send(target(), NTFY_TOKEN, { ...TEXT, text: whole })).toEqual({ kind: 'delivered' });
  expect(await messenger.send(target(), NTFY_TOKEN, { ...TEXT, text: `${whole}x` })).toMatchObject({
    kind: 'too_long',
  });
});

describe('what may pass is tried again', () => {
  test.each<[string, Turn, number | null]>([
    ['429 of a server that is busy', ntfyError(429, 42901, 'limit reached: too many requests, please be nice'), null],
    ['429 with a header', { ...ntfyError(429, 42901, 'limit reached'), headers: { 'retry-after': '7' } }, 7000],
    ['429 for the rest of the day', ntfyError(429, 42908, 'limit reached: too many messages'), 1_800_000],
    ['500', ntfyError(500, 50001, 'internal server error'), null],
    ['503 of a proxy', { status: 503, body: '<html></html>' }, null],
    ['a page of a proxy', { status: 403, body: '<html></html>' }, null],
    ['a redirect, which is not followed', { status: 301, headers: { location: 'http://127.0.0.1:1/' } }, null],
    ['silence', 'silence', null],
    ['a connection that breaks', 'cut', null],
  ])('%s', async (_, turn, afterMs) => {
    ntfy.next(turn);
    expect(await messenger.send(target(), NTFY_TOKEN, TEXT)).toEqual({
      kind: 'retry',
      because: expect.stringMatching(/^The ntfy server /),
      afterMs,
    });
    expect(ntfy.received).toHaveLength(1);
  });

  test('an address that user requests must not reach', async () => {
    const guarded = new GuardedHttp({ allowHttp: true, addresses: new AddressRule([]) });
    expect(await new NtfyMessenger(guarded).send(target(), null, TEXT)).toMatchObject({
      kind: 'retry',
      because: 'The ntfy server cannot be reached',
    });
    expect(ntfy.received).toEqual([]);
    await guarded.close();
  });
});

describe('what a person has to change is not tried again', () => {
  test('a token that is wrong, or missing', async () => {
    expect(await messenger.send(target(), 'tk_wrong', TEXT)).toEqual({
      kind: 'gone',
      because: 'The ntfy server answered 401: unauthorized',
    });
    expect(await messenger.send(target(), null, TEXT)).toEqual({
      kind: 'gone',
      because: 'The ntfy server answered 403: forbidden',
    });
  });

  test('a topic or page that does not exist', async () => {
    expect(await messenger.send({ ...target(), topic: 'no/topic' }, NTFY_TOKEN, TEXT)).toMatchObject({ kind: 'gone' });
    ntfy.next(ntfyError(404, 40401, 'page not found'));
    expect(await messenger.send(target(), NTFY_TOKEN, TEXT)).toMatchObject({ kind: 'gone' });
  });
});

test('an invalid message is refused, and an oversized one may be shortened', async () => {
  ntfy.next(ntfyError(400, 40011, 'invalid message'), ntfyError(413, 41303, 'JSON body too large'));
  expect(await messenger.send(target(), NTFY_TOKEN, TEXT)).toMatchObject({ kind: 'refused' });
  expect(await messenger.send(target(), NTFY_TOKEN, TEXT)).toMatchObject({ kind: 'too_long' });
});

test('the token is in no reason, even where the server repeats it', async () => {
  ntfy.next(ntfyError(403, 40301, `forbidden for ${NTFY_TOKEN}`), 'cut');
  const outcomes = [await messenger.send(target(), NTFY_TOKEN, TEXT), await messenger.send(target(), NTFY_TOKEN, TEXT)];
  expect(JSON.stringify(outcomes)).not.toContain(NTFY_TOKEN);
});
