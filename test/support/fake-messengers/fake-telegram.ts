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

/** Stands for Telegram: one bot, and chats that take its messages or do not. */
export class FakeTelegram extends StandIn {
  /** What each chat was sent. */
  readonly texts: { readonly chat: string; readonly text: string }[] = [];
  readonly #chats = new Map<string, keyof typeof FORBIDDEN | { readonly to: number } | null>([[CHAT, null]]);

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

  protected answer({ path, body }: Received): Scripted {
    if (path !== `/bot${BOT_TOKEN}/sendMessage`)
      return path.startsWith('/bot') ? telegramError(401, 'Unauthorized') : telegramError(404, 'Not Found');
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
    this.texts.push({ chat, text });
    return { status: 200, body: JSON.stringify({ ok: true, result: { message_id: this.texts.length, text } }) };
  }
}
