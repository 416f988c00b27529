import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type FakeNtfy, NTFY_TOKEN, TOPIC } from '../../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT, type FakeTelegram, telegramError } from '../../support/fake-messengers/fake-telegram.js';
import { freshFolder } from '../program.js';
import { shown } from '../transcript.js';
import { keyOf } from './access.js';
import type { Terminal } from './commands.js';
import { type Fixture, id, ORDERS, STRATEGIES } from './fixture.js';

const ORDER = { market_id: 'bucks-thunder', token: 'YES', price: 0.41, size_usdc: 8.2 };
const SESSION = '/v1/session';

/** What a browser does with a session, and what it may not. */
export async function sessions({ transcript, api, server }: Fixture, terminal: Terminal): Promise<void> {
  transcript.step('A session is begun with a key, used by pages, runs out and is ended');
  const key = await keyOf(
    terminal,
    { transcript: transcript },
    'fay',
    'admin,orders:read,orders:paper,risk:write,webhooks:write',
  );
  const withKey = { authorization: `Bearer ${key}` };
  await api.post(SESSION, undefined);
  await api.call('GET', '/v1/limits', undefined, { ...withKey, origin: 'https://elsewhere.example' });
  await api.post(SESSION, undefined, { ...withKey, origin: 'https://elsewhere.example' });
  let cookie = '';
  await api.as(withKey).call('POST', SESSION, undefined, {}, (_, headers) => {
    cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  });
  const page = api.as({ cookie, origin: api.url, 'sec-fetch-site': 'same-origin' });
  await page.get(SESSION);
  await page.post(ORDERS, ORDER);
  await page.put('/v1/limits', { order_usdc: 1000 });
  await api.as({ cookie }).post(ORDERS, ORDER);
  await api.as({ cookie, origin: 'https://elsewhere.example' }).post(ORDERS, ORDER);
  await page.post(SESSION, undefined);
  await server.pass(6 * 60_000);
  await page.put('/v1/limits', { order_usdc: 2000 });
  await page.post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'a page' });
  await page.post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'a page' });
  await api.as(withKey).post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'a key' });
  await page.get(SESSION);
  await page.delete(SESSION);
  await page.get('/v1/limits');
}

/** Bytes that are hardly HTTP, and requests for somebody else. */
export async function protocol({ transcript, api }: Fixture): Promise<void> {
  transcript.step('What is hardly a request is answered too');
  await api.get(ORDERS, { host: 'other.example' });
  await api.post(ORDERS, ORDER, { expect: 'nonsense' });
  await api.post(ORDERS, ORDER, { 'content-encoding': 'gzip' });
  await api.get('/healthz', { 'x-long': 'x'.repeat(20_000) });
  await api.get(`/v1/${'x'.repeat(9000)}`);
  await api.get('/docs');
  await api.get('/problems/off-tick');
  await api.get('/problems/no-such');
  await api.get('/refusals/invalid_tick');
  const { port } = new URL(api.url);
  for (const bytes of ['nonsense\r\n\r\n', 'GET /healthz HTTP/1.1\r\n\r\n', 'GET / HTTP/3.0\r\nhost: x\r\n\r\n']) {
    const socket = connect(Number(port), '127.0.0.1');
    const parts: string[] = [];
    socket.setEncoding('utf8').on('data', (text: string) => parts.push(text));
    socket.end(bytes);
    await once(socket, 'close');
    transcript.say(`> ${JSON.stringify(bytes)}`);
    transcript.say(
      `${parts
        .join('')
        .replaceAll('\r', '')
        .replace(/^date: .*\n/im, '')}\n`,
    );
  }
}

/** The streams: events from a place in the log, of some types, and where it may not go; a market, and one that is not there. */
export async function stream(
  { transcript, api, server }: Fixture,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  transcript.step('Events and markets are followed as streams');
  await server.settled();
  for (const [path, most] of [
    ['/v1/events/stream?after=0', 5],
    ['/v1/events/stream?after=0&types=order.fill', 4],
    ['/v1/events/stream?types=nothing', 1],
    ['/v1/events/stream?after=100000', 1],
    ['/v1/exchange/markets/stream?market=home-away&depth=2', 5],
    ['/v1/exchange/markets/stream?market=home-away,nowhere', 1],
  ] as const) {
    transcript.say(`> GET ${path}`);
    const url = new URL(path, api.url);
    const text = await new Promise<string>((done, fail) => {
      const asked = httpGet(url, { headers }, (answer) => {
        let all = `< ${answer.statusCode} ${answer.headers['content-type']}\n`;
        answer.setEncoding('utf8').on('data', (part: string) => {
          all += part;
          if (all.split('\n\n').length > most + 1) answer.destroy();
        });
        answer.once('close', () => done(all));
      });
      asked.once('error', fail);
    });
    transcript.say(
      `${text
        .split('\n\n')
        .slice(0, most + 1)
        .join('\n\n')}\n`,
    );
  }
}

/** People are told by two messengers; the command line looks after them. */
export async function people(
  { transcript, server, api }: Fixture,
  terminal: Terminal,
  { telegram, ntfy, key }: { telegram: FakeTelegram; ntfy: FakeNtfy; key: string },
): Promise<void> {
  transcript.step('People are told what happens');
  const account = api.as({ authorization: `Bearer ${key}` });
  await terminal.run(['login', api.url, '--profile', 'home', '--default'], `${key}\n`);
  await terminal.run(['login', api.url, '--profile', 'broken'], 'nonsense\n');
  await terminal.run(['profiles']);
  await terminal.run(['webhooks', 'telegram', CHAT, '--summary', '12:04', '--zone', 'UTC'], `${BOT_TOKEN}\n`);
  await terminal.run(
    ['webhooks', 'ntfy', TOPIC, '--server', ntfy.url, '--token', '--quiet', '13:00-15:00', '--gather', '0'],
    `${NTFY_TOKEN}\n`,
  );
  const made = ((await account.get('/v1/webhooks'))['data'] as Record<string, unknown>[]).map(id);
  for (const one of made) await terminal.run(['webhooks', 'ping', one]);
  // Without a ping: a server that listens to a bot always waits for it.
  for (const chat of ['4712', '@bets'])
    await terminal.run(['webhooks', 'telegram', chat, '--commands-from', '4711,4712'], `${BOT_TOKEN}\n`);
  await terminal.run(['webhooks', 'telegram', CHAT, '--commands-from', 'ann'], `${BOT_TOKEN}\n`);
  await terminal.run(['webhooks']);
  await account.post(ORDERS, ORDER);
  await account.post(ORDERS, { ...ORDER, market_id: 'home-away', price: 0.58, size_usdc: 5.8 });
  await account.post(ORDERS, { ...ORDER, size_usdc: 999_999 });
  await account.post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'going home' });
  await account.post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'back again' });
  const rules = {
    match: { text: 'home' },
    outcome: { index: 0 },
    filter: { min_odds: 1.5, max_odds: 3, side: 'BACK' },
    sizing: { method: 'flat', value: 20 },
  };
  const plain = { name: 'Asks', sport: 'soccer', bankroll_cap: 1000, stake_cap: 50, rules };
  const strategy = id(await account.post(STRATEGIES, { ...plain, automation: 'approve' }));
  await server.pass(30_000);
  await terminal.run(['decisions', strategy, '--json']);
  const bet = ((await account.get(`${STRATEGIES}/${strategy}/decisions`))['data'] as Record<string, unknown>[])[0];
  await account.get(`/v1/decisions/${id(bet ?? {})}`);
  await account.get(`${STRATEGIES}/${strategy}/decisions/summary`);
  await account.patch(`${STRATEGIES}/${strategy}`, { automation: 'auto' });
  await server.pass(5 * 60_000);
  for (const { chat, text } of telegram.texts) transcript.say(`(telegram, ${chat})\n${text}\n`);
  for (const message of ntfy.published) transcript.say(`(ntfy)\n${shown(message)}\n`);
  const [first = '', second = ''] = made;
  for (const args of [
    ['webhooks', 'show', first],
    ['webhooks', 'show', second, '--json'],
    ['webhooks', 'change', first, '--quiet', 'none', '--description', 'mine'],
    ['webhooks', 'change', first, '--summary', 'noon'],
    ['webhooks', 'failures', first],
    ['webhooks', 'disable', second, '--yes'],
    ['webhooks', 'enable', second],
    ['webhooks', 'replay', second, '--after', '0'],
    ['webhooks', 'remove', second, '--yes'],
    ['webhooks', 'rotate', first, '--yes'],
    ['webhooks', 'show', 'x'],
    ['alarms'],
    ['logout', '--profile', 'broken'],
    ['logout'],
    ['profiles'],
    ['orders'],
  ])
    await terminal.run(args);
}

/** A messenger refuses a message for good: what was not told is in the log, and the next message is sent. */
export async function givenUp(
  { transcript, server, api }: Fixture,
  terminal: Terminal,
  telegram: FakeTelegram,
): Promise<void> {
  transcript.step('A message that a messenger refuses is given up, and the next one is sent');
  const key = await keyOf(terminal, { transcript: transcript }, 'gil', 'orders:read,orders:cancel,risk:write');
  const account = api.as({ authorization: `Bearer ${key}` });
  const before = telegram.texts.length;
  telegram.next(telegramError(400, 'Bad Request: strange'));
  await account.post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'going home' });
  await server.pass(60_000);
  await account.get('/v1/events?types=webhook.skipped');
  const [chat] = (await account.get('/v1/webhooks'))['data'] as Record<string, unknown>[];
  await account.get(`/v1/webhooks/${id(chat ?? {})}/deliveries`);
  await account.post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'back again' });
  await server.pass(60_000);

  transcript.step('A message that a messenger cannot take now is sent again, later each time');
  telegram.next(...[1, 2, 3].map(() => telegramError(500, 'Internal Server Error')));
  // As long as a reason may be: it is told whole.
  await account.post('/v1/trading/state', {
    scope: 'account',
    state: 'halted',
    reason: 'long '.repeat(40).slice(0, 199).concat('!'),
  });
  for (const seconds of [6, 6, 6, 12, 12]) {
    await server.pass(1000 * seconds);
    transcript.say(`(told ${telegram.texts.length - before})`);
  }
  for (const { chat, text } of telegram.texts.slice(before)) transcript.say(`(telegram, ${chat})\n${text}\n`);
}

/** The files that commands write, and what does not go. */
export async function files(
  { transcript }: Pick<Fixture, 'transcript'>,
  terminal: Terminal,
  database: string,
): Promise<void> {
  transcript.step('Commands write a copy of the database, and refuse what is wrong');
  const folder = freshFolder();
  transcript.hide(folder, 'folder');
  transcript.hide(database.replace('sqlite:', ''), 'database');
  for (const args of [
    ['backup', join(folder, 'copy.db')],
    ['backup', join(folder, 'copy.db')],
    ['backup', join(folder, 'none/copy.db'), '--json'],
    ['migrate'],
    ['audit', '--json'],
    ['serve', '--nothing'],
    ['cancel-all'],
    ['--version'],
    ['--help'],
  ])
    await terminal.run(args);
  const bad = terminal.with({ DATABASE_URL: 'nonsense:' });
  await bad.run(['audit']);
  await bad.run(['keys', 'list']);
  await terminal.with({ DATABASE_URL: `sqlite:${folder}/absent.db` }).run(['audit']);
  await terminal.with({ KEY_PEPPER: '' }).run(['serve']);
  await terminal.with({ MARKET_DATA: 'tape:/nowhere.jsonl', PORT: '0' }).run(['serve']);
  await terminal.with({ PORT: 'many' }).run(['serve']);
}
