import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { YES_WON } from '../../src/core/market/lifecycle.js';
import { tape } from '../adapters/tape/tapes.js';
import { APPROVALS, EVENTS, ORDERS, STRATEGIES } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { BOT_TOKEN, CHAT, FakeTelegram } from '../support/fake-messengers/fake-telegram.js';
import { Client } from '../support/http.js';
import { aMatch, ends, inTime, says, shows } from '../support/match-day.js';
import { startServer } from '../support/processes.js';

const WEBHOOKS = '/v1/webhooks';
const GROUP = '-100123';
const [ANN, EVE] = [4711, 4712];
const GAMES = ['derby', 'final'].map((name) => aMatch(name, {}, '0.05'));

/** Two games whose books say 0.50 for Home again and again, for an hour. */
function afternoon(): string {
  const looks = Array.from({ length: 600 }, (_, nth) => GAMES.map((game) => shows(game, 5 + nth * 6, '0.49', '0.50')));
  return tape(
    ...inTime(
      [...GAMES.map((game) => says(game, 0)), ...looks.flat(), ...GAMES.map((game) => ends(game, 3700, YES_WON))],
      3710,
    ),
  );
}

test('a group approves, rejects and halts by presses that count once, even for a killed server', async () => {
  const telegram = await FakeTelegram.start();
  telegram.allow(GROUP);
  const database = freshSqliteFile();
  const market = { MARKET_DATA: `tape:${afternoon()}`, TAPE_SPEED: '1' };
  const key = { SECRETS_KEY: randomBytes(32).toString('base64') };
  const env = { DATABASE_URL: database.url, TELEGRAM_API_URL: telegram.url, LOG_LEVEL: 'warn', ...market, ...key };
  const killed = await startServer({ env });
  const first = new Client(killed.url);
  const channel = {
    kind: 'telegram',
    chat_id: Number(GROUP),
    token: BOT_TOKEN,
    gather_seconds: 0,
    commands_from: [ANN],
  };
  const { id } = (await first.post(WEBHOOKS, channel)).json<{ id: string }>();
  expect((await first.post(`${WEBHOOKS}/${id}/ping`, {})).json()).toMatchObject({ taken: true });
  const rules = { outcome: { label: 'Home' }, order: { approve_within: '1h' }, sizing: { method: 'flat', value: 10 } };
  const strategy = { name: 'ask me', sport: 'soccer', bankroll_cap: 1000, stake_cap: 50, automation: 'approve', rules };
  expect((await first.post(STRATEGIES, strategy)).status).toBe(201);
  const buttons = () => telegram.sent.flatMap((sent) => sent.buttons.flat().map(({ text }) => text.split(' ')[0]));
  await expect.poll(buttons).toEqual(['Approve', 'Reject', 'Approve', 'Reject']);

  const ann = { chat: GROUP, from: ANN };
  const refused = async (client: Client) => {
    const { data } = (await client.get(`${EVENTS}?types=command.refused`)).json<{
      data: { data: { command: object } }[];
    }>();
    return data.map(({ data: { command } }) => (command as { because: string }).because);
  };
  telegram.presses('Approve', { chat: GROUP, from: EVE });
  telegram.presses('Approve', { chat: CHAT, from: ANN });
  telegram.pressesData(`a${'0'.repeat(62)}`, ann);
  telegram.standing(ANN, { status: 'left' });
  await expect.poll(() => refused(first)).toEqual(['not_allowed', 'foreign', 'forged']);
  telegram.presses('Approve', ann);
  await expect.poll(() => refused(first)).toHaveLength(4);
  expect((await first.get(ORDERS)).json()['data']).toEqual([]);

  // The server dies after it acted, and before Telegram learned that it heard the press.
  telegram.standing(ANN, { status: 'member' });
  telegram.muteAnswers(true);
  const pressed = telegram.presses('Approve', ann);
  const by = `telegram:${id}:${ANN}`;
  const decided = async (client: Client, state: string) =>
    (await client.get(`${APPROVALS}?state=${state}`))
      .json<{ data: { decided_by: string }[] }>()
      .data.map((one) => one.decided_by);
  await expect.poll(() => decided(first, 'approved')).toEqual([by]);
  await killed.kill('SIGKILL');
  telegram.muteAnswers(false);
  const server = await startServer({ env });
  const client = new Client(server.url);
  await expect.poll(() => refused(client)).toEqual(['not_allowed', 'foreign', 'forged', 'not_a_member', 'repeated']);
  telegram.pressesData(pressed, ann);
  await expect.poll(() => refused(client)).toHaveLength(6);
  expect((await client.get(ORDERS)).json<{ data: object[] }>().data).toHaveLength(1);

  telegram.presses('Reject', ann);
  telegram.says('/halt', ann);
  await expect.poll(buttons).toContain('Halt');
  telegram.presses('Halt now', ann);
  const state = async () =>
    (await client.get('/v1/trading/state')).json<{ data: { state: string; by: string }[] }>().data;
  await expect.poll(state).toMatchObject([{ state: 'halted', by }]);
  await expect.poll(() => telegram.toasts.at(-1)).toBe('Trading is halted.');
  await server.kill('SIGTERM');
  await telegram.close();
  database.remove();
});
