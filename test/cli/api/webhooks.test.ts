import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import type { AccountId } from '../../../src/core/ids.js';
import { type RunningApp, STRATEGIES, STRATEGY, startApp, WEBHOOKS } from '../../support/app.js';
import type { Client } from '../../support/http.js';
import { Receiver } from '../../support/receiver.js';
import { against, asked, person, stakeport } from './remote.js';

let [app, alice, receiver, key, count]: [RunningApp, Client, Receiver, string, number] = [
  null,
  null,
  null,
  '',
  0,
] as never;

beforeAll(async () => {
  app = await startApp({ authenticator: 'keys' });
  receiver = await Receiver.start();
});
afterAll(() => receiver.close());

beforeEach(async () => {
  count += 1;
  alice = await app.keyed(`alice-${count}`, ...AUTH_SCOPES);
  key = alice.headers['authorization']?.replace('Bearer ', '') ?? '';
  Object.assign(receiver, { answering: () => 204, secret: null, received: [] });
  against({ STAKEPORT_URL: app.url, STAKEPORT_KEY: key });
});

interface Shown {
  readonly id: string;
  readonly secret: string;
}

/** Adds a webhook to the receiver, with `--json`. */
const added = async (...more: readonly string[]): Promise<Shown> =>
  JSON.parse((await stakeport('webhooks', 'add', receiver.url, ...more, '--json')).out);

/** One that its receiver has pinged. */
async function active(...more: readonly string[]): Promise<Shown> {
  const made = await added(...more);
  expect(await stakeport('webhooks', 'ping', made.id.slice(-8))).toMatchObject({ code: 0 });
  return made;
}

/** What a server does in the background, until nothing is due. */
async function deliver(): Promise<void> {
  const account = `alice-${count}` as AccountId;
  for (const webhook of await app.ledger.endpoints.list(account))
    if (webhook.state === 'active') await app.webhooks.use.deliver.execute(webhook, () => true);
}

describe('webhooks add', () => {
  it('shows the secret once, for verification, and says what comes next', async () => {
    const said = await stakeport('webhooks', 'add', receiver.url, '--types', 'order.fill,strategy.created');
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^state +unverified$/m) });
    expect(said.out).toMatch(/^types +order\.fill,strategy\.created$/m);
    const [, id = ''] = /^id +(\S+)$/m.exec(said.out) ?? [];
    const [, secret = ''] = /^secret +(whsec_\S+)$/m.exec(said.out) ?? [];
    expect(said.err).toBe(
      `The secret is shown this once: keep it where the receiver reads it.\nNothing but pings is sent until one is taken: stakeport webhooks ping ${id.slice(-8)}\n`,
    );
    receiver.secret = secret;
    const pinged = await stakeport('webhooks', 'ping', id);
    expect(pinged).toMatchObject({ code: 0, out: expect.stringMatching(/^taken +yes\nstate +active$/m), err: '' });
    for (const args of [['list'], ['show', id], ['list', '--json'], ['show', id, '--json']])
      expect((await stakeport('webhooks', ...args)).out).not.toContain(secret);
  });

  it('repeated with its key is one webhook, with the secret hidden', async () => {
    const once = ['webhooks', 'add', receiver.url, '--key', 'k-1'];
    const [first, again] = [await stakeport(...once), await stakeport(...once)];
    expect(first.out).toMatch(/whsec_/);
    expect(again.code).toBe(0);
    expect(again.out).toBe(first.out.replace(/^secret.*\n/im, ''));
    expect(again.err).toMatch(/^This is what the first request with this key did\. Its secret was shown then\.$/m);
    expect(again.err).not.toMatch(/shown this once/);
    expect((await alice.get(WEBHOOKS)).json<{ data: unknown[] }>().data).toHaveLength(1);
  });

  it.each<[string[], number, RegExp]>([
    [['http://10.0.0.1/'], 64, /^url must lead to an address of the public Internet.* See --help\n$/],
    [['https://example.org/', '--types', 'order.flll'], 64, /^types\/0 must be one of/],
  ])('refuses %j', async (args, code, words) => {
    const said = await stakeport('webhooks', 'add', ...args);
    expect(said).toMatchObject({ code, out: '', err: expect.stringMatching(words) });
    expect(said.err.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('what there is', () => {
  it('is a table without a verb, or the API’s answer with --json', async () => {
    expect(await stakeport('webhooks')).toMatchObject({ code: 0, out: 'No webhooks.\n' });
    const { id } = await active('--description', 'the phone');
    const table = await stakeport('webhooks');
    expect(table).toMatchObject({ code: 0, err: '' });
    expect(table.out).toMatch(/^ID +STATE +TO +TYPES +LAST TAKEN +FAILING SINCE$/m);
    expect(table.out).toMatch(new RegExp(`^${id.slice(-8)} {2}active {2}${receiver.url} {2}all +– +–$`, 'm'));
    expect((await stakeport('webhooks', 'list')).out).toBe(table.out);
    for (const args of [[], ['list']])
      expect((await stakeport('webhooks', ...args, '--json')).out).toBe(`${(await alice.get(WEBHOOKS)).text}\n`);
    const shown = await stakeport('webhooks', 'show', id);
    expect(shown.out).toMatch(/^description +the phone$/m);
    expect(shown.out).toMatch(/^sent up to +1$/m);
    expect((await stakeport('webhooks', 'show', id, '--json')).out).toBe(
      `${(await alice.get(`${WEBHOOKS}/${id}`)).text}\n`,
    );
  });

  it('names deliveries its receiver refused, and resends them on request', async () => {
    const { id } = await active('--types', 'strategy.created');
    receiver.answering = () => 500;
    await alice.post(STRATEGIES, STRATEGY);
    await deliver();
    const failures = await stakeport('webhooks', 'deliveries', id);
    expect(failures.out).toMatch(/^SEQ +TYPE +STATE +TRIES +LAST TRY +NEXT TRY +STATUS +SAID$/m);
    expect(failures.out).toMatch(/^ *\d+ {2}strategy\.created {2}waiting +1 .* 500 {2}said so$/m);
    expect((await stakeport('webhooks', 'failures', id)).out).toBe(failures.out);
    expect((await stakeport('webhooks', 'deliveries', id, '--json')).out).toBe(
      `${(await alice.get(`${WEBHOOKS}/${id}/deliveries`)).text}\n`,
    );
    receiver.answering = () => 204;
    expect(await stakeport('webhooks', 'replay', id, '--after', '0')).toMatchObject({ code: 0, err: '' });
    await deliver();
    const before = receiver.taken.length;
    expect(before).toBeGreaterThan(0);
    expect(await stakeport('webhooks', 'replay', id, '--seq', receiver.taken[0] ?? '')).toMatchObject({ code: 0 });
    await deliver();
    expect(receiver.taken).toHaveLength(before + 1);
    expect(await stakeport('webhooks', 'replay', id)).toMatchObject({ code: 64 });
    expect(await stakeport('webhooks', 'replay', id, '--seq', '999')).toMatchObject({ code: 1 });
  });
});

describe('a ping that is not taken', () => {
  it('exits with 1, and says what the receiver answered', async () => {
    const { id } = await added();
    receiver.answering = () => 503;
    const said = await stakeport('webhooks', 'ping', id);
    expect(said).toMatchObject({ code: 1, out: expect.stringMatching(/^taken +no\nstate +unverified\nstatus +503$/m) });
    expect(said.err).toBe('The ping was not taken. Its receiver answered 503. Mend the receiver, then ping again.\n');
  });
});

describe('what changes a webhook', () => {
  it('rotate shows a new secret, and messages are signed with both', async () => {
    const { id, secret } = await active();
    const said = await stakeport('webhooks', 'rotate', id);
    const [, fresh = ''] = /^secret +(whsec_\S+)$/m.exec(said.out) ?? [];
    expect(fresh).not.toBe(secret);
    for (const one of [secret, fresh]) {
      receiver.secret = one;
      expect(await stakeport('webhooks', 'ping', id)).toMatchObject({ code: 0 });
    }
  });

  it('change, disable and enable', async () => {
    const { id } = await active();
    expect(await stakeport('webhooks', 'change', id)).toMatchObject({ code: 64 });
    const changed = await stakeport('webhooks', 'change', id, '--types', 'order.fill', '--description', 'x');
    expect(changed).toMatchObject({ code: 0, out: expect.stringMatching(/^types +order\.fill$/m), err: '' });
    expect((await stakeport('webhooks', 'change', id, '--types', 'all')).out).toMatch(/^types +all\ndescription +x$/m);
    const disabled = await stakeport('webhooks', 'disable', id);
    expect(disabled.out).toMatch(/^state +disabled$/m);
    expect(disabled.out).toMatch(/^because +Somebody disabled it\.$/m);
    expect((await alice.get('/v1/alarms')).json()['data']).toEqual([]);
    expect((await stakeport('webhooks', 'enable', id)).out).toMatch(/^state +active$/m);
    const moved = await stakeport('webhooks', 'change', id, '--url', `${receiver.url}2`);
    expect(moved).toMatchObject({
      out: expect.stringMatching(/^state +unverified$/m),
      err: expect.stringMatching(/ping/),
    });
    expect(await stakeport('webhooks', 'enable', id)).toMatchObject({ code: 1, err: expect.stringMatching(/ping/) });
  });

  it('is described in events, and so is an alarm about it', async () => {
    const { id } = await active('--types', 'strategy.created');
    receiver.answering = () => 410;
    await alice.post(STRATEGIES, STRATEGY);
    await deliver();
    await stakeport('webhooks', 'remove', id, '--yes');
    const { out } = await stakeport('events');
    const lines = out.split('\n').map((line) => line.replace(/^ *\d+ {2}\S+ \S+ {2}/, ''));
    expect(lines).toContainEqual(expect.stringMatching(/^webhook\.verified +Webhook \w{8} to \S+: verified$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^webhook\.disabled {2}.*: disabled\. Its receiver answered 410: /),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^alarm\.raised +ALARM: A webhook is disabled \(/));
    expect(lines).toContainEqual(expect.stringMatching(/^alarm\.cleared +Over: a webhook is disabled \(/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^key\.created +API key \w{8} of \S+: created, for strategies:read,/),
    );
    expect(out).not.toContain('{');
  });

  it('remove asks for confirmation, and does nothing without a terminal', async () => {
    const { id } = await active();
    expect(await stakeport('webhooks', 'remove', id)).toMatchObject({ code: 64, out: '' });
    const no = await asked(person('n'), 'webhooks', 'remove', id);
    expect(no).toMatchObject({ code: 1, out: '', err: expect.stringContaining(receiver.url) });
    expect(await asked(person('y'), 'webhooks', 'remove', id)).toMatchObject({ code: 0 });
    const gone = await stakeport('webhooks', 'remove', id, '--yes');
    expect(gone).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no such webhook.*stakeport webhooks$/m),
    });
  });
});

describe('what goes wrong', () => {
  it('a key without the scope, and a server without webhooks', async () => {
    const reader = await app.keyed('alice', 'orders:read');
    against({ STAKEPORT_URL: app.url, STAKEPORT_KEY: reader.headers['authorization']?.slice(7) ?? '' });
    expect(await stakeport('webhooks', 'add', receiver.url)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/webhooks:write/),
    });
    const bare = await startApp({ routes: [] });
    against({ STAKEPORT_URL: bare.url });
    for (const args of [['list'], ['add', receiver.url]])
      expect(await stakeport('webhooks', ...args)).toMatchObject({
        code: 1,
        err: 'This server sends no webhooks: its operator has to set SECRETS_KEY.\n',
      });
  });
});
