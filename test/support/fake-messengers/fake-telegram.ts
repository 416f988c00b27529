import { type Received, type Scripted, StandIn } from './stand-in.js';

export const BOT_TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0';
export const CHAT = '4711';

/** An error as the Bot API tells it. */
export const telegramError = (
  status: number,
  description: string,
  parameters?: Readonly<Record<string, number>>,
): Scripted => ({ status, body: JSON.stringify({ ok: false, error_code: status, description, parameters }) });

/** Why a chat takes no messages; null where it does. */
const FORBIDDEN = {
  blocked: 'Forbidden: bot was blocked by the user',
  deactivated: 'Forbidden: user is deactivated',
  kicked: 'Forbidden: bot was kicked from the supergroup chat',
} as const;

/** A button below a message, as the Bot API has it. */
interface Key {
  readonly text: string;
  readonly callback_data: string;
}

/** A message that a chat was sent, with its buttons as they are now. */
interface SentMessage {
  readonly id: number;
  readonly chat: string;
  readonly text: string;
  buttons: readonly (readonly Key[])[];
}

/** Who does something, and where. */
export interface Sender {
  readonly chat?: string;
  readonly from?: number;
}

/** The user of the private chat. */
export const USER = Number(CHAT);
const OK = (result: unknown): Scripted => ({ status: 200, body: JSON.stringify({ ok: true, result }) });

/** Stands for Telegram: one bot, chats that take its messages or do not, and people who command it. */
export class FakeTelegram extends StandIn {
  /** What each chat was sent. */
  readonly texts: { readonly chat: string; readonly text: string }[] = [];
  readonly sent: SentMessage[] = [];
  /** What those who pressed were told. */
  readonly toasts: string[] = [];
  /** The commands that people are shown. */
  commands: unknown = null;
  readonly #chats = new Map<string, keyof typeof FORBIDDEN | { readonly to: number } | null>([[CHAT, null]]);
  readonly #statuses = new Map<number, object>();
  #updates: { readonly update_id: number }[] = [];
  #lastUpdate = 1000;
  #wake = () => {};
  #heard = () => {};
  #isTaken = false;
  #isMute = false;

  static async start(): Promise<FakeTelegram> {
    return new FakeTelegram().listen();
  }

  private constructor() {
    super();
  }

  forbid(chat: string, why: keyof typeof FORBIDDEN): void {
    this.#chats.set(chat, why);
  }

  allow(chat: string): void {
    this.#chats.set(chat, null);
  }

  /** A group becomes a supergroup of another name. */
  migrate(chat: string, to: number): void {
    this.#chats.set(chat, { to });
    this.#chats.set(`${to}`, null);
  }

  /** What Telegram says of somebody in every chat, such as `{ status: 'left' }`; by default they are a member. */
  standing(user: number, status: object): void {
    this.#statuses.set(user, status);
  }

  /** Another program listens to the bot from now on, or does so no more. */
  takeOver(isTaken: boolean): void {
    this.#isTaken = isTaken;
    this.#wake();
  }

  /** Nobody who presses is told anything from now on: the bot waits for that; or does so no more. */
  muteAnswers(isMute: boolean): void {
    this.#isMute = isMute;
  }

  /** Resolves once the bot asks for what comes after the last update: by then it has done all that it was told. */
  heard(): Promise<void> {
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  /** Somebody writes to the bot. */
  says(text: string, { chat = CHAT, from = USER }: Sender = {}, more: object = {}): void {
    const date = Math.floor(Date.now() / 1000);
    this.#put({ message: { message_id: 1, date, chat: { id: Number(chat) }, from: { id: from }, text, ...more } });
  }

  /** Somebody presses the button of the newest message that has one with this label; returns its text. */
  presses(label: string, sender: Sender = {}): string {
    const message = this.sent.findLast(({ buttons }) => buttons.flat().some(({ text }) => text.startsWith(label)));
    const key = message?.buttons.flat().find(({ text }) => text.startsWith(label));
    if (message === undefined || key === undefined) throw new Error(`There is no button ${label}.`);
    this.pressesData(key.callback_data, sender, message);
    return key.callback_data;
  }

  /** Somebody sends back the text of a button, whether or not there is one. */
  pressesData(data: string, { chat = CHAT, from = USER }: Sender = {}, message = this.sent.at(-1)): void {
    const markup = { reply_markup: { inline_keyboard: message?.buttons ?? [] } };
    const below = { message_id: message?.id ?? 0, chat: { id: Number(chat) }, ...markup };
    this.#put({ callback_query: { id: `${this.#lastUpdate}`, from: { id: from }, message: below, data } });
  }

  protected answer({ path, body }: Received): Scripted | Promise<Scripted> {
    if (!path.startsWith(`/bot${BOT_TOKEN}/`))
      return path.startsWith('/bot') ? telegramError(401, 'Unauthorized') : telegramError(404, 'Not Found');
    switch (path.slice(path.lastIndexOf('/') + 1)) {
      case 'sendMessage':
        return this.#send(body);
      case 'getUpdates':
        return this.#hold(body);
      case 'getMe':
        return OK({ id: 1, username: 'Stake_Bot' });
      case 'setMyCommands':
        this.commands = body['commands'];
        return OK(true);
      case 'getChatMember':
        return OK(this.#statuses.get(Number(body['user_id'])) ?? { status: 'member' });
      case 'answerCallbackQuery':
        if (this.#isMute) return new Promise(() => {});
        this.toasts.push(String(body['text']));
        return OK(true);
      case 'editMessageReplyMarkup':
        return this.#edit(body);
      default:
        return telegramError(404, 'Not Found');
    }
  }

  #put(update: object): void {
    this.#lastUpdate += 1;
    this.#updates.push({ update_id: this.#lastUpdate, ...update });
    this.#wake();
  }

  /** Waits for updates as Telegram does; those before the offset are forgotten. */
  async #hold({ offset, timeout }: Received['body']): Promise<Scripted> {
    const from = typeof offset === 'number' ? offset : 0;
    if (from > this.#lastUpdate) this.#heard();
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= from);
    this.#wake();
    if (this.#updates.length === 0 && !this.#isTaken)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Number(timeout) * 1000).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const elsewhere =
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';
    return this.#isTaken ? telegramError(409, elsewhere) : OK(this.#updates);
  }

  #edit({ message_id: id, reply_markup: markup }: Received['body']): Scripted {
    const message = this.sent.find((one) => one.id === id);
    if (message === undefined) return telegramError(400, 'Bad Request: message to edit not found');
    message.buttons = (markup as { inline_keyboard: SentMessage['buttons'] }).inline_keyboard;
    return OK(true);
  }

  #send(body: Received['body']): Scripted {
    const chat = String(body['chat_id']);
    const text = typeof body['text'] === 'string' ? body['text'] : '';
    const state = this.#chats.get(chat);
    if (state === undefined) return telegramError(400, 'Bad Request: chat not found');
    if (typeof state === 'string') return telegramError(403, FORBIDDEN[state]);
    if (state !== null)
      return telegramError(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: state.to,
      });
    if (text.trim() === '') return telegramError(400, 'Bad Request: message text is empty');
    if (text.length > 4096) return telegramError(400, 'Bad Request: message is too long');
    const markup = body['reply_markup'] as { inline_keyboard?: SentMessage['buttons'] } | undefined;
    const buttons = markup?.inline_keyboard ?? [];
    if (buttons.flat().some(({ callback_data: data }) => Buffer.byteLength(data) > 64))
      return telegramError(400, 'Bad Request: BUTTON_DATA_INVALID');
    this.texts.push({ chat, text });
    this.sent.push({ id: this.texts.length, chat, text, buttons });
    return OK({ message_id: this.texts.length, text });
  }
}
