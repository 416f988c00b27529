import { BOT_TOKEN, type FakeTelegram, type Sender } from '../../support/fake-messengers/fake-telegram.js';
import { BEGAN } from '../program.js';
import { shown } from '../transcript.js';
import { type Fixture, id, STRATEGIES } from './fixture.js';

export const GROUP = '-100123';
const [ELSEWHERE, ANN, EVE] = ['-100999', 4711, 4712];
const WEBHOOKS = '/v1/webhooks';

/** Who does something in the group. */
const by = (from: number): Sender => ({ chat: GROUP, from });

/** What people do in a chat, one thing after the other, and what the bot does then. */
class Chat {
  #sent = 0;
  #toasts = 0;

  constructor(
    private readonly telegram: FakeTelegram,
    private readonly fixture: Pick<Fixture, 'transcript' | 'server'>,
  ) {}

  /** Writes a command, at a moment of the clock that stands still. */
  async says(text: string, who = by(ANN), at = BEGAN): Promise<void> {
    await this.#done(`(${who.from} in ${who.chat}) ${text}`, () => {
      this.telegram.says(text, who, { date: at / 1000 });
    });
  }

  /** Presses the newest button with this label, and returns its text. */
  async presses(label: string, who = by(ANN)): Promise<string> {
    let data = '';
    await this.#done(`(${who.from} in ${who.chat}) presses ${label}`, () => {
      data = this.telegram.presses(label, who);
    });
    return data;
  }

  /** Sends the text of a button, which may be none. */
  async sends(data: string, what: string, who = by(ANN)): Promise<void> {
    await this.#done(`(${who.from} in ${who.chat}) presses ${what}`, () => this.telegram.pressesData(data, who));
  }

  /** Writes down what the bot sent since. */
  tell(): void {
    const { texts, sent, toasts } = this.telegram;
    for (const toast of toasts.slice(this.#toasts)) this.fixture.transcript.say(`(shown) ${toast}`);
    for (const { chat, text, buttons } of sent.slice(this.#sent)) {
      const labels = buttons.map((row) => `[${row.map((button) => button.text).join('] [')}]\n`);
      this.fixture.transcript.say(`(telegram, ${chat})\n${text}\n${labels.join('')}`);
    }
    [this.#sent, this.#toasts] = [texts.length, toasts.length];
  }

  async #done(words: string, act: () => void): Promise<void> {
    const { transcript, server } = this.fixture;
    await server.settled();
    transcript.say(words);
    const heard = this.telegram.heard();
    act();
    await heard;
    await server.settled();
    this.tell();
  }
}

/** People of a group command the account: what they may is done once, and what they may not does nothing; both on record. */
export async function commandedFromAChat(fixture: Fixture, telegram: FakeTelegram): Promise<void> {
  const { transcript, api, server } = fixture;
  const chat = new Chat(telegram, fixture);
  transcript.step('A group may command the account once it has taken a message');
  const channel = { kind: 'telegram', chat_id: Number(GROUP), token: BOT_TOKEN, gather_seconds: 0 };
  const made = await api.post(WEBHOOKS, { ...channel, commands_from: [ANN], zone: 'UTC' });
  const path = `${WEBHOOKS}/${id(made)}`;
  await api.post(`${path}/ping`, {});
  await server.pass(2000);
  transcript.say(`(commands) ${shown(telegram.commands)}`);
  chat.tell();

  transcript.step('People ask how things stand');
  for (const text of ['/start', '/status@Stake_Bot', '/positions', '/profit', '/approvals']) await chat.says(text);

  transcript.step('Bets wait for the group: presses of those who may not do nothing');
  const rules = {
    match: {},
    outcome: { index: 0 },
    filter: { min_odds: 1.5, max_odds: 4 },
    sizing: { method: 'flat', value: 20 },
    limits: { event_loss: 100 },
  };
  const asks = { name: 'Asks the group', sport: 'soccer', bankroll_cap: 1000, stake_cap: 50, automation: 'approve' };
  await api.post(STRATEGIES, { ...asks, rules });
  await server.pass(4000);
  // First, so that the ids in what the bot sends are known.
  await api.get('/v1/approvals');
  chat.tell();
  await chat.presses('Approve', by(EVE));
  await chat.presses('Approve', { chat: ELSEWHERE, from: ANN });
  await chat.sends(`a${'0'.repeat(62)}`, 'what is no button');
  telegram.standing(ANN, { status: 'left' });
  await chat.presses('Approve');
  telegram.standing(ANN, { status: 'member' });
  await chat.says('/status', { chat: ELSEWHERE, from: ANN });
  await chat.says('/halt', by(EVE));
  await chat.says('/halt', by(ANN), BEGAN - 3_600_000);
  await api.get('/v1/exchange/orders');

  transcript.step('One bet is approved and one rejected, each by one press');
  const approved = await chat.presses('Approve');
  await chat.sends(approved, 'the same again');
  await chat.presses('Reject');
  await server.pass(2000);
  chat.tell();
  for (const text of ['/positions', '/profit', '/approvals']) await chat.says(text);
  await api.get('/v1/approvals');
  await api.get('/v1/exchange/orders');

  transcript.step('Trading is halted by a press within ten minutes, and goes on from elsewhere only');
  await chat.says('/halt');
  await server.sleep(11 * 60_000);
  chat.tell();
  await chat.presses('Halt now');
  await chat.says('/halt', by(ANN), BEGAN + 700_000);
  const halted = await chat.presses('Halt now');
  await chat.sends(halted, 'the same again');
  await chat.says('/status', by(ANN), BEGAN + 700_000);
  await api.get('/v1/trading/state');

  transcript.step('A group that may not command any more is not heard');
  await api.patch(path, { commands_from: [] });
  await chat.says('/status', by(ANN), BEGAN + 700_000);
  await server.pass(2000);
  chat.tell();
  await api.get('/v1/events?types=command.refused,approval.approved,approval.rejected,trading.state&limit=100');
}
