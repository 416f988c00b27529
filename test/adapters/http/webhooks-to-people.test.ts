import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookRoutes } from '../../../src/adapters/http/webhook-routes.js';
import { PeopleFixture } from '../../core/usecases/endpoints/people-fixture.js';
import { startApp } from '../../support/app.js';
import { NTFY_TOKEN, TOPIC } from '../../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT } from '../../support/fake-messengers/fake-telegram.js';
import type { Client } from '../../support/http.js';

const WEBHOOKS = '/v1/webhooks';
const NIGHT = { from: '22:00', to: '07:00' };
/** Short and plain enough to be repeated, were it not a token. */
const PASSWORD = 'correct horse';
let fixture: PeopleFixture;
let client: Client;

beforeAll(async () => {
  fixture = await PeopleFixture.open();
  const app = await startApp({ ledger: fixture.ledger, routes: webhookRoutes(fixture.use) });
  client = app.client.as({ 'x-dev-user': 'alice' });
});
afterAll(() => fixture.close());

const telegram = (changes: object = {}) => ({ kind: 'telegram', chat_id: CHAT, token: BOT_TOKEN, ...changes });
const ntfy = (changes: object = {}) => ({ kind: 'ntfy', url: 'https://ntfy.sh', topic: TOPIC, ...changes });

async function made(body: object): Promise<Record<string, unknown>> {
  const answer = await client.post(WEBHOOKS, body);
  expect(answer.text).toContain('"unverified"');
  expect(answer.status).toBe(201);
  return answer.json();
}

describe('POST /v1/webhooks', () => {
  it('returns every field of a chat except the token', async () => {
    const terms = { quiet_hours: NIGHT, summary_at: '08:00', zone: 'Europe/Berlin', gather_seconds: 5 };
    const chat = await made(telegram({ chat_id: -1001234567890123, thread_id: 7, description: 'Bets', ...terms }));
    expect(chat).toEqual({
      id: expect.any(String),
      kind: 'telegram',
      chat_id: '-1001234567890123',
      thread_id: 7,
      commands_from: [],
      ...terms,
      types: [],
      description: 'Bets',
      by: 'dev',
      state: 'unverified',
      disabled_because: null,
      skipped: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('returns every field of a topic, with defaults for omitted ones', async () => {
    expect(await made(ntfy({ token: null }))).toMatchObject({
      kind: 'ntfy',
      url: 'https://ntfy.sh',
      topic: TOPIC,
      quiet_hours: null,
      summary_at: null,
      zone: null,
      gather_seconds: 20,
    });
  });

  it('makes a plain webhook when no kind is given', async () => {
    for (const body of [{ url: 'https://example.org/' }, { kind: 'webhook', url: 'https://example.org/' }])
      expect(Object.keys(await made(body))).toEqual([
        'secret',
        'id',
        'url',
        'types',
        'description',
        'by',
        'state',
        'disabled_because',
        'skipped',
        'created_at',
        'updated_at',
      ]);
  });

  it('repeats its answer for the same key, and refuses another token', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await client.post(WEBHOOKS, telegram(), key);
    expect((await client.post(WEBHOOKS, telegram(), key)).text).toBe(first.text);
    const other = await client.post(WEBHOOKS, telegram({ token: `${BOT_TOKEN}x` }), key);
    expect(other.json()).toMatchObject({ type: '/problems/idempotency-key-reused' });
  });

  it('never shows a webhook’s secret again, not even a rotated one', async () => {
    const key = { 'idempotency-key': 'a webhook' };
    const first = (await client.post(WEBHOOKS, { url: 'https://example.org/' }, key)).json<{ id: string }>();
    expect(first).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    const again = await client.post(WEBHOOKS, { url: 'https://example.org/' }, key);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json()).toEqual({ ...first, secret: null });
    const rotate = () => client.post(`${WEBHOOKS}/${first.id}/rotate`, undefined, { 'idempotency-key': 'a secret' });
    const rotated = (await rotate()).json();
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect((await rotate()).json()).toEqual({ ...rotated, secret: null });
  });

  it.each<[string, object, string]>([
    ['another kind', { kind: 'email' }, '/kind must be webhook, telegram or ntfy; got "email"'],
    ['no chat', telegram({ chat_id: undefined }), '/chat_id is required'],
    [
      'a chat that is none',
      telegram({ chat_id: 'me' }),
      '/chat_id must be the number of a chat, or the @name of a channel',
    ],
    ['a chat that is no number', telegram({ chat_id: 1.5 }), '/chat_id must be the number of a chat'],
    ['no token', telegram({ token: undefined }), '/token is required'],
    ['a token of another messenger', telegram({ token: NTFY_TOKEN }), '/token must be the token of a Telegram bot'],
    [
      'a token with a line break',
      ntfy({ token: 'a\r\nb' }),
      '/token must be text of 1 to 200 visible ASCII characters',
    ],
    ['a token with a blank', ntfy({ token: PASSWORD }), '/token must be text of 1 to 200 visible ASCII characters'],
    ['a time that there is not', telegram({ summary_at: '24:00' }), '/summary_at must be a time of day such as 22:00'],
    ['half of quiet hours', telegram({ quiet_hours: { from: '22:00' } }), '/quiet_hours/to is required'],
    ['a zone that there is not', telegram({ zone: 'Mars' }), '/zone must be a time zone of the IANA database'],
    ['too long a pause', telegram({ gather_seconds: 601 }), '/gather_seconds must be a whole number from 0 to 600'],
    ['a topic that is none', ntfy({ topic: 'a/b' }), '/topic must have 1 to 64 letters, digits, - or _'],
    [
      'a topic in the address',
      ntfy({ url: 'https://ntfy.sh/bets' }),
      '/url must be the address of an ntfy server alone',
    ],
    ['a private address', ntfy({ url: 'https://10.0.0.1' }), '/url must lead to an address of the public Internet'],
    ['what another kind has', telegram({ topic: 'bets' }), '/topic is not known here'],
  ])('refuses %s, and never repeats a token', async (_, body, problem) => {
    const answer = await client.post(WEBHOOKS, body);
    const { errors = [] } = answer.json<{ errors?: { pointer: string; detail: string }[] }>();
    expect([answer.status, errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')]).toEqual([
      422,
      expect.stringContaining(problem),
    ]);
    for (const token of [BOT_TOKEN, NTFY_TOKEN, PASSWORD]) expect(answer.text).not.toContain(token);
  });
});

describe('PATCH /v1/webhooks/{id}', () => {
  it('needs a new test message for a new destination only', async () => {
    const path = `${WEBHOOKS}/${(await made(telegram()))['id']}`;
    await client.post(`${path}/ping`, {});
    expect((await client.patch(path, { quiet_hours: NIGHT, gather_seconds: 3 })).json()).toMatchObject({
      state: 'active',
      quiet_hours: NIGHT,
      gather_seconds: 3,
      summary_at: null,
    });
    expect((await client.patch(path, { quiet_hours: null })).json()).toMatchObject({
      quiet_hours: null,
      gather_seconds: 3,
    });
    expect((await client.patch(path, { token: `${BOT_TOKEN}x` })).json()).toMatchObject({ state: 'active' });
    expect((await client.patch(path, { chat_id: '@bets_of_mine' })).json()).toMatchObject({ state: 'unverified' });
  });

  it('lets nobody command from another chat or by another bot', async () => {
    const commanders = async () => (await client.get(path)).json()['commands_from'];
    const path = `${WEBHOOKS}/${(await made(telegram({ commands_from: [4711] })))['id']}`;
    await client.patch(path, { description: 'Bets' });
    expect(await commanders()).toEqual([4711]);
    for (const change of [{ chat_id: 4712 }, { token: `${BOT_TOKEN}y` }, { commands_from: [] }]) {
      await client.patch(path, { commands_from: [4711, 4712] });
      await client.patch(path, change);
      expect(await commanders()).toEqual([]);
    }
  });

  it.each<[string, object, string]>([
    ['@name of a channel', { commands_from: [1], chat_id: '@bets' }, '/commands_from must be empty for the @name'],
    ['user', { commands_from: ['ann'] }, '/commands_from/0 must be a whole number from 1'],
    ['topic', { topic: 'bets' }, '/topic is not a member of a webhook of the kind telegram'],
    ['url', { url: 'https://example.org' }, '/url is not a member of a webhook of the kind telegram'],
    ['token', { token: 'tk_12345678901' }, '/token must be the token of a Telegram bot'],
  ])('refuses the %s that a chat does not have', async (_, body, problem) => {
    const path = `${WEBHOOKS}/${(await made(telegram()))['id']}`;
    const answer = await client.patch(path, body);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(problem)]);
  });

  it('refuses hours for a program', async () => {
    const path = `${WEBHOOKS}/${(await made({ url: 'https://example.org/' }))['id']}`;
    const answer = await client.patch(path, { gather_seconds: 3 });
    expect(answer.text).toContain('/gather_seconds is not a member of a webhook of the kind webhook');
  });
});

it('POST …/ping reports the messenger’s answer, and …/rotate finds nothing to rotate', async () => {
  const path = `${WEBHOOKS}/${(await made(telegram({ chat_id: 99 })))['id']}`;
  expect((await client.post(`${path}/ping`, {})).json()).toMatchObject({
    taken: false,
    status: null,
    said: 'Telegram answered 400: Bad Request: chat not found.',
    webhook: { state: 'unverified', kind: 'telegram' },
  });
  expect((await client.post(`${path}/rotate`, {})).json()).toMatchObject({ type: '/problems/webhook-without-secret' });
});
