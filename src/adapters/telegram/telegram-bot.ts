import type { ChatBot, ChatPress, ChatUpdate, PolledUpdates } from '../../ports/chat-bot.js';
import type { Button } from '../../ports/messenger.js';
import type { GuardedHttp } from '../transport/guarded-http.js';
import { jsonObject } from '../transport/said-text.js';
import { BotApi, failureIn, keyboardOf, objectIn, waitOf } from './bot-api.js';

/** How long Telegram holds a request for updates that there are none of. */
const HELD_SECONDS = 25;
/** How long such a request may take, and how much its answer may have: a message has 4,096 characters, and one that it answers. */
export const UPDATE_LIMITS = { overallMs: 40_000, mostBytes: 4_194_304 } as const;
const MOST_UPDATES = 50;
const CONFLICT = 409;
const OK = 200;
const MOST_ANSWERED = 200;
const COMMAND = /^\/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{1,64}))?(?:\s|$)/;

/**
 * Reads what people do in the chats of Telegram bots, by long polling.
 *
 * @example
 * ```ts
 * import { AddressRule, GuardedHttp, TelegramBot, UPDATE_LIMITS } from 'stakeport/webhooks';
 *
 * const addresses = new AddressRule([]);
 * const http = new GuardedHttp({ allowHttp: false, addresses });
 * const polling = new GuardedHttp({ allowHttp: false, addresses }, UPDATE_LIMITS);
 * const bot = new TelegramBot(new URL('https://api.telegram.org'), http, polling);
 * ```
 */
export class TelegramBot implements ChatBot {
  readonly #api: BotApi;
  readonly #polling: BotApi;
  /** The names of the bots, in small letters, by their tokens. */
  readonly #names = new Map<string, string>();

  /**
   * @param http for all calls but those that wait
   * @param polling for those, with `UPDATE_LIMITS`
   */
  constructor(api: URL, http: Pick<GuardedHttp, 'post'>, polling: Pick<GuardedHttp, 'post'>) {
    this.#api = new BotApi(api, http);
    this.#polling = new BotApi(api, polling);
  }

  async updates(token: string, from: number | null): Promise<PolledUpdates> {
    const offset = from === null ? {} : { offset: from };
    const wanted = { timeout: HELD_SECONDS, limit: MOST_UPDATES, allowed_updates: ['message', 'callback_query'] };
    const answer = await this.#polling.call('getUpdates', token, { ...offset, ...wanted });
    if (answer === null) return { kind: 'failed', because: 'The token is not one of a Telegram bot', afterMs: null };
    if (answer.kind !== 'answered') return { kind: 'failed', because: `Telegram ${answer.reason}`, afterMs: null };
    const { status, text, retryAfterMs } = answer;
    const said = status === OK ? jsonObject(text) : null;
    if (said?.['ok'] === true && Array.isArray(said['result'])) return this.#read(token, said['result']);
    const failure = failureIn(text, token);
    const because = `Telegram answered ${status}${failure === null ? '' : `: ${failure.description}`}`;
    if (status === CONFLICT) return { kind: 'elsewhere', because };
    return { kind: 'failed', because, afterMs: waitOf(failure) ?? retryAfterMs };
  }

  async introduce(token: string, commands: Readonly<Record<string, string>>): Promise<void> {
    const name = (await this.#result('getMe', token, {}))['username'];
    if (typeof name === 'string') this.#names.set(token, name.toLowerCase());
    const shown = Object.entries(commands).map(([command, description]) => ({ command, description }));
    await this.#api.call('setMyCommands', token, { commands: shown });
  }

  async isMember(token: string, chatId: string, userId: number): Promise<boolean> {
    const { status, is_member: isIn } = await this.#result('getChatMember', token, {
      chat_id: chatId,
      user_id: userId,
    });
    return MEMBERS.has(`${status}`) || (status === 'restricted' && isIn === true);
  }

  async answerPress(token: string, pressId: string, text: string): Promise<void> {
    await this.#api.call('answerCallbackQuery', token, {
      callback_query_id: pressId,
      text: text.slice(0, MOST_ANSWERED),
    });
  }

  async removeButtons(token: string, { chatId, messageId, others }: ChatPress): Promise<void> {
    const message = { chat_id: chatId, message_id: messageId };
    await this.#api.call('editMessageReplyMarkup', token, { ...message, reply_markup: keyboardOf(others) });
  }

  /** Nothing where there is no answer. */
  async #result(method: string, token: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.#api.call(method, token, body);
    const said = answer?.kind === 'answered' && answer.status === OK ? jsonObject(answer.text) : null;
    return said?.['ok'] === true ? objectIn(said['result']) : {};
  }

  #read(token: string, result: readonly unknown[]): PolledUpdates {
    const updates = result.map(objectIn);
    const numbers = updates.map((update) => update['update_id']).filter(Number.isSafeInteger) as number[];
    const read = updates.flatMap((update) => [...this.#command(token, update), ...press(update)]);
    return { kind: 'updates', updates: read, next: numbers.length === 0 ? null : Math.max(...numbers) + 1 };
  }

  /** What somebody else wrote and this person only forwarded is no command, nor is one for another bot. */
  #command(token: string, update: Readonly<Record<string, unknown>>): ChatUpdate[] {
    const message = objectIn(update['message']);
    const { text, date } = message;
    const [, name, bot] = COMMAND.exec(typeof text === 'string' ? text : '') ?? [];
    const [chatId, userId] = [idIn(message['chat']), idIn(message['from'])];
    if (name === undefined || chatId === null || userId === null || typeof date !== 'number') return [];
    const own = this.#names.get(token);
    const isForOther = bot !== undefined && own !== undefined && bot.toLowerCase() !== own;
    if (isForOther || message['forward_origin'] !== undefined) return [];
    const thread = message['is_topic_message'] === true ? message['message_thread_id'] : null;
    const threadId = typeof thread === 'number' ? thread : null;
    const at = new Date(date * 1000);
    return [{ kind: 'command', chatId: `${chatId}`, threadId, userId, name: name.toLowerCase(), at }];
  }
}

const MEMBERS: ReadonlySet<string> = new Set(['creator', 'administrator', 'member']);

function press(update: Readonly<Record<string, unknown>>): ChatUpdate[] {
  const query = objectIn(update['callback_query']);
  const message = objectIn(query['message']);
  const { id, data } = query;
  const userId = idIn(query['from']);
  if (typeof id !== 'string' || userId === null) return [];
  const { message_id: messageId } = message;
  const rows = objectIn(message['reply_markup'])['inline_keyboard'];
  const buttons = (Array.isArray(rows) ? rows : []).map((row) => (Array.isArray(row) ? row : []).map(buttonIn));
  return [
    {
      kind: 'press',
      id,
      userId,
      chatId: `${idIn(message['chat']) ?? ''}`,
      messageId: typeof messageId === 'number' ? messageId : 0,
      data: typeof data === 'string' ? data : '',
      others: buttons.filter((row) => !row.some((button) => button.data === data)),
    },
  ];
}

function buttonIn(value: unknown): Button {
  const { text, callback_data: data } = objectIn(value);
  return { label: typeof text === 'string' ? text : '', data: typeof data === 'string' ? data : '' };
}

function idIn(value: unknown): number | null {
  const { id } = objectIn(value);
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}
