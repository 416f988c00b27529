import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webhookRoutes } from '../../../src/adapters/http/webhook-routes.js';
import { PeopleFixture } from '../../core/usecases/endpoints/people-fixture.js';
import { type RunningApp, startApp, WEBHOOKS } from '../../support/app.js';
import { NTFY_TOKEN, TOPIC } from '../../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT, telegramError } from '../../support/fake-messengers/fake-telegram.js';
import { against, asked, person, stakeport } from './remote.js';

let [fixture, app]: [PeopleFixture, RunningApp] = [null, null] as never;

beforeAll(async () => {
  fixture = await PeopleFixture.open();
  app = await startApp({ ledger: fixture.ledger, routes: webhookRoutes(fixture.use) });
});
afterAll(() => fixture.close());
beforeEach(() => against({ STAKEPORT_URL: app.url }));

const idIn = (text: string): string => /^id +(\S+)$/m.exec(text)?.[1] ?? '';
const TERMS = ['--quiet', '22:00-07:00', '--summary', '08:00', '--zone', 'Europe/Berlin', '--gather', '5'];

describe('webhooks telegram', () => {
  it('hides the token, and a ping notifies the chat', async () => {
    const typing = person(BOT_TOKEN);
    const made = await asked(typing, 'webhooks', 'telegram', CHAT, ...TERMS, '--thread', '7', '--description', 'Bets');
    expect(typing.questions).toEqual(['The token for the bot (empty for none): ']);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^state +unverified$/m) });
    expect(made.out).toMatch(new RegExp(`^to +telegram ${CHAT}$`, 'm'));
    expect(made.out).toMatch(/^quiet hours +22:00 to 07:00\ndaily summary +08:00\ntime zone +Europe\/Berlin$/m);
    expect(made.out).toMatch(/^sent after +5 s of silence$/m);
    expect(made.err).toBe(
      `Nothing is sent until a test message has arrived: stakeport webhooks ping ${idIn(made.out).slice(-8)}\n`,
    );
    expect(await stakeport('webhooks', 'ping', idIn(made.out))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^taken +yes\nstate +active$/m),
      err: '',
    });
    expect(fixture.telegram.texts.at(-1)?.text).toMatch(/^This is a test/);
    for (const args of [['list'], ['show', idIn(made.out)], ['show', idIn(made.out), '--json']])
      expect((await stakeport('webhooks', ...args)).out).not.toContain(BOT_TOKEN);
  });

  it('takes a group number after --, and its key prevents repeats', async () => {
    const group = ['webhooks', 'telegram', '--key', 'g-1', '--json', '--', '-1001234567890'];
    const [first, again] = [await asked(person(BOT_TOKEN), ...group), await asked(person(BOT_TOKEN), ...group)];
    expect(JSON.parse(first.out)).toMatchObject({ kind: 'telegram', chat_id: '-1001234567890' });
    expect([again.code, again.out]).toEqual([0, first.out]);
  });

  it('shows the bot’s error when the test message does not arrive', async () => {
    const made = await asked(person(BOT_TOKEN), 'webhooks', 'telegram', CHAT);
    fixture.telegram.next(telegramError(400, 'Bad Request: chat not found'));
    expect(await stakeport('webhooks', 'ping', idIn(made.out))).toMatchObject({
      code: 1,
      err: 'The test message was not delivered: Telegram answered 400: Bad Request: chat not found. Mend that, then ping again.\n',
    });
  });

  it.each<[string, string[], string, number, RegExp]>([
    ['no token', [CHAT], '', 64, /^A Telegram bot needs a token: @BotFather shows it\.\n$/],
    ['no token of a bot', [CHAT], 'secret-1', 64, /^token must be the token of a Telegram bot/],
    ['no chat', ['bets'], BOT_TOKEN, 64, /^chat_id must be the number of a chat, or the @name of a channel/],
    ['no hours', [CHAT, '--quiet', '22:00'], BOT_TOKEN, 64, /It takes two times of day, such as 22:00-07:00, or none/],
    ['no time', [CHAT, '--summary', 'noon'], BOT_TOKEN, 64, /^summary_at must be a time of day such as 22:00/],
    ['no number', [CHAT, '--gather', 'soon'], BOT_TOKEN, 64, /It takes a whole number, such as 20/],
  ])('with %s fails in one line without the token, changing nothing', async (_, args, token, code, words) => {
    const before = (await app.client.get(WEBHOOKS)).text;
    const said = await asked(person(token), 'webhooks', 'telegram', ...args);
    expect(said).toMatchObject({ code, out: '', err: expect.stringMatching(words) });
    expect(said.err).not.toContain('secret-1');
    expect((await app.client.get(WEBHOOKS)).text).toBe(before);
  });
});

describe('webhooks ntfy', () => {
  it('asks for a token only on request, and lists server and topic', async () => {
    const open = person('unused');
    const made = await asked(open, 'webhooks', 'ntfy', TOPIC);
    expect([made.code, open.questions]).toEqual([0, []]);
    expect((await stakeport('webhooks')).out).toMatch(
      new RegExp(`^${idIn(made.out).slice(-8)} {2}unverified {2}ntfy https://ntfy\\.sh/${TOPIC} `, 'm'),
    );
    const own = ['webhooks', 'ntfy', TOPIC, '--server', fixture.ntfy.url, '--token'];
    const guarded = await asked(person(NTFY_TOKEN), ...own);
    expect(await stakeport('webhooks', 'ping', idIn(guarded.out))).toMatchObject({ code: 0 });
    expect(fixture.ntfy.received.at(-1)?.authorization).toBe(`Bearer ${NTFY_TOKEN}`);
  });
});

describe('webhooks change', () => {
  it('changes delivery terms and token, and none removes a value', async () => {
    const { out } = await asked(person(BOT_TOKEN), 'webhooks', 'telegram', CHAT, ...TERMS);
    const changed = await stakeport('webhooks', 'change', idIn(out), '--quiet', 'none', '--summary', 'none');
    expect(changed.out).toMatch(/^quiet hours +–\ndaily summary +–\ntime zone +Europe\/Berlin$/m);
    const other = '1:another-token-of-this-bot';
    expect(await asked(person(other), 'webhooks', 'change', idIn(out), '--token')).toMatchObject({ code: 0 });
    await stakeport('webhooks', 'ping', idIn(out));
    expect(fixture.telegram.received.at(-1)?.path).toBe(`/bot${other}/sendMessage`);
    const moved = await stakeport('webhooks', 'change', idIn(out), '--chat', '@bets_of_alice', '--thread', 'none');
    expect(moved.out).toMatch(/^to +telegram @bets_of_alice$/m);
  });

  it('refuses what an endpoint of this kind does not have', async () => {
    const { out } = await asked(person(BOT_TOKEN), 'webhooks', 'telegram', CHAT);
    const said = await stakeport('webhooks', 'change', idIn(out), '--topic', 'bets');
    expect(said).toMatchObject({ code: 64, err: expect.stringMatching(/^topic is not a member of a webhook of the/) });
  });
});
