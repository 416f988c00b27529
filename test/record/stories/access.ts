import type { Receiver } from '../../support/receiver.js';
import { shown } from '../transcript.js';
import { everyEvent } from './automation.js';
import type { Terminal } from './commands.js';
import { type Fixture, id, ORDERS, STRATEGIES } from './fixture.js';

const KEYS = '/v1/admin/keys';
const WEBHOOKS = '/v1/webhooks';
const ORDER = { market_id: 'bucks-thunder', token: 'YES', price: 0.41, size_usdc: 8.2 };

/** A key with these scopes, made by an operator; its text is in no transcript. */
export async function keyOf(
  terminal: Terminal,
  { transcript }: Pick<Fixture, 'transcript'>,
  account: string,
  scopes: string,
): Promise<string> {
  const made = await terminal.run(
    ['keys', 'create', '--account', account, '--scopes', scopes, '--json'],
    '',
    (json) => {
      transcript.hide(String(json['key']), `key of ${account}`);
    },
  );
  return String(made['key']);
}

/** Keys and sessions: made, used within their scopes, listed, revoked. */
export async function access({ transcript, api, server }: Fixture, terminal: Terminal): Promise<void> {
  transcript.step('Keys are made by an operator, and hold within their scopes');
  const admin = {
    authorization: `Bearer ${await keyOf(terminal, { transcript: transcript }, 'ann', 'admin,orders:read,risk:write')}`,
  };
  const reader = {
    authorization: `Bearer ${await keyOf(terminal, { transcript: transcript }, 'bob', 'orders:read,strategies:read')}`,
  };
  const trader = {
    authorization: `Bearer ${await keyOf(terminal, { transcript: transcript }, 'cid', 'orders:read,orders:paper,strategies:write')}`,
  };
  await terminal.run(['keys', 'create', '--account', 'x y', '--scopes', 'everything']);
  await terminal.run(['keys', 'list']);
  await api.get(ORDERS);
  for (const wrong of ['Bearer nonsense', 'Basic bm9ib2R5', 'Bearer', `${reader.authorization}x`])
    await api.get(ORDERS, { authorization: wrong });
  await api.as(reader).get('/v1/session');
  for (const [who, place] of [
    [reader, ORDERS],
    [trader, ORDERS],
    [admin, ORDERS],
  ] as const) {
    await api.as(who).post(place, ORDER);
    await api.as(who).get(place);
  }
  await api.as(trader).post(ORDERS, { ...ORDER, paper: false });
  await api.as(reader).post(STRATEGIES, {});
  await api.as(reader).put('/v1/limits', { order_usdc: 1 });
  await api.as(reader).post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'x' });
  await api.as(admin).post('/v1/trading/state', { scope: 'service', state: 'halted', reason: 'all of it' });
  await api.as(trader).post(ORDERS, ORDER);
  await api.as(admin).post('/v1/trading/state', { scope: 'service', state: 'active', reason: 'over' });

  transcript.step('Keys are made, listed and revoked over HTTP');
  const keyOfDan = (more: object, word: string, headers = {}) =>
    api.as(admin).call('POST', KEYS, { account: 'dan', scopes: ['orders:read'], ...more }, headers, ({ key }) => {
      if (key !== null) transcript.hide(String(key), word);
    });
  const bearer = ({ key }: Readonly<Record<string, unknown>>) => ({ authorization: `Bearer ${key}` });
  const short = await keyOfDan({ expires: '1m' }, 'first key of dan');
  const made = await keyOfDan({ expires: '1d' }, 'second key of dan', { 'idempotency-key': 'dan' });
  await keyOfDan({ expires: '1d' }, 'second key of dan', { 'idempotency-key': 'dan' });
  await keyOfDan({ expires: '2d' }, 'second key of dan', { 'idempotency-key': 'dan' });
  const kept = bearer(await keyOfDan({}, 'third key of dan'));
  const dan = bearer(made);
  await api.as(dan).get('/v1/session');
  await api.as(bearer(short)).get('/v1/session');
  for (const wrong of [
    {},
    { account: '', scopes: [] },
    { account: 'dan', scopes: ['all'] },
    { account: 'dan', scopes: ['orders:read'], expires: 'soon' },
    { account: 'dan', scopes: ['orders:read'], expires_in: '1d' },
  ])
    await api.as(admin).post(KEYS, wrong);
  const [one] = (await api.as(admin).get(KEYS))['data'] as Record<string, unknown>[];
  await api.as(admin).get(`${KEYS}/${id(one ?? {})}`);
  await api.as(reader).get(KEYS);
  await api.as(admin).delete(`${KEYS}/${id(made)}`);
  await api.as(admin).delete(`${KEYS}/${id(made)}`);
  await api.as(dan).get('/v1/session');
  await api.as(admin).get(`${KEYS}/${id(made)}`);
  await server.pass(60_000);
  await api.as(bearer(short)).get('/v1/session');
  await api.as(kept).get('/v1/session');
  await everyEvent(api.as(kept));
  await api.as(admin).get('/v1/admin/servers');
  await api.as(admin).get('/v1/events');
}

/** Webhooks: verified, sent signed events, refused, tried again, rotated, removed. */
export async function webhooks(
  { transcript, api, server }: Fixture,
  terminal: Terminal,
  receiver: Receiver,
): Promise<void> {
  transcript.step('A webhook is made, takes a ping, and is sent events');
  const key = await keyOf(terminal, { transcript: transcript }, 'eve', 'orders:read,orders:paper,webhooks:write');
  const eve = api.as({ authorization: `Bearer ${key}` });
  const hide = (json: Readonly<Record<string, unknown>>) => transcript.hide(String(json['secret']), 'secret');
  const body = { url: receiver.url, types: ['order.fill', 'order.denied'] };
  const made = await eve.call('POST', WEBHOOKS, body, { 'idempotency-key': 'hook' }, hide);
  receiver.secret = String(made['secret']);
  await eve.post(WEBHOOKS, body, { 'idempotency-key': 'hook' });
  for (const wrong of [
    {},
    { url: 'ftp://x' },
    { url: 'http://10.0.0.1/' },
    { ...body, types: ['nothing'] },
    { ...body, kind: 'pigeon' },
  ])
    await eve.post(WEBHOOKS, wrong);
  const path = `${WEBHOOKS}/${id(made)}`;
  await eve.post(`${path}/replay`, { after: '0' });
  await eve.post(`${path}/ping`, {});
  await eve.get(path);
  await eve.post(ORDERS, ORDER);
  await eve.post(ORDERS, { ...ORDER, size_usdc: 0.001 });
  const taken = async () => {
    await server.pass(2000);
    for (const { headers, text } of receiver.raw.splice(0)) {
      const { 'webhook-id': message, 'webhook-timestamp': moment, 'content-type': type, 'user-agent': agent } = headers;
      transcript.say(
        `(received) webhook-id: ${message}, webhook-timestamp: ${moment}, content-type: ${type}, user-agent: ${agent}`,
      );
      transcript.say(`${shown(JSON.parse(text))}\n`);
    }
  };
  await taken();

  transcript.step('A receiver that refuses is asked again, and events are sent once more');
  receiver.answering = () => 500;
  await eve.post(ORDERS, { ...ORDER, size_usdc: 0.001 });
  await taken();
  await eve.get(`${path}/deliveries`);
  receiver.answering = () => 204;
  await server.pass(6000);
  await taken();
  await eve.get(`${path}/deliveries`);
  await eve.post(`${path}/replay`, { seq: '2' });
  await eve.patch(path, { description: 'of tests', types: ['order.fill'] });
  await eve.patch(path, { url: 'nothing' });
  await eve.post(`${path}/disable`, {});
  await eve.post(`${path}/enable`, {});
  await eve.call('POST', `${path}/rotate`, {}, {}, hide);
  await eve.get(WEBHOOKS);
  await eve.get(`${WEBHOOKS}/019ca945-0fdc-7000-8000-000000000000`);

  transcript.step('A receiver that is gone disables its webhook and raises an alarm, until the webhook is enabled');
  receiver.answering = () => 410;
  await eve.post(ORDERS, ORDER);
  await taken();
  await eve.get(path);
  await server.pass(12_000);
  await eve.get('/v1/alarms');
  receiver.answering = () => 204;
  await eve.post(`${path}/enable`, {});
  await taken();
  await server.pass(12_000);
  await eve.get('/v1/alarms');
  await eve.delete(path);
  await eve.delete(path);
  await everyEvent(eve);

  transcript.step('Later events of an order pass one that was refused for hours');
  await server.pass(2000);
  const other = await eve.call('POST', WEBHOOKS, body, {}, hide);
  receiver.secret = String(other['secret']);
  await eve.post(`${WEBHOOKS}/${id(other)}/ping`, {});
  receiver.raw.splice(0);
  let first: string | undefined;
  receiver.answering = ({ seq }) => {
    first ??= seq;
    return seq === first ? 500 : 204;
  };
  await eve.post(ORDERS, { market_id: 'home-away', token: 'YES', price: 0.59, size_usdc: 40 });
  for (const seconds of [0, 6, 330, 2000, 8000]) {
    await server.sleep(1000 * seconds);
    await taken();
  }
}

/** What an operator does beside the server. */
export async function operating({ transcript, api }: Fixture, terminal: Terminal): Promise<void> {
  transcript.step('An operator looks after accounts and books');
  for (const args of [
    ['accounts', 'list'],
    ['accounts', 'show', 'cid'],
    ['accounts', 'show', 'nobody'],
    ['accounts', 'enable-live', 'cid'],
    ['accounts', 'deposit', 'cid', '100'],
    ['accounts', 'deposit', 'cid', 'much'],
    ['accounts', 'withdraw', 'cid', '30'],
    ['accounts', 'withdraw', 'cid', '100'],
    ['accounts', 'halt', 'cid', '--reason', 'a look'],
    ['accounts', 'show', 'cid', '--json'],
    ['accounts', 'halt-all', '--reason', 'all'],
    ['accounts', 'release', 'cid'],
    ['accounts', 'disable-live', 'cid'],
    ['accounts', 'list', '--json'],
    ['audit'],
    ['audit', '--json'],
    ['redeemable'],
    ['external'],
    ['doctor'],
    ['keys', 'list', '--json'],
  ])
    await terminal.run(args);
  const key = await keyOf(terminal, { transcript: transcript }, 'cid', 'orders:read');
  await everyEvent(api.as({ authorization: `Bearer ${key}` }));
}
