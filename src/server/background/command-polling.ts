import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { COMMANDS } from '../../core/endpoint/command.js';
import type { Endpoint } from '../../core/endpoint/endpoint.js';
import { type CommandChannel, isCommandChannel } from '../../core/endpoint/person.js';
import type { AnswerUpdate } from '../../core/usecases/commands/answer-update.js';
import type { ReportHearing } from '../../core/usecases/commands/background/report-hearing.js';
import type { ChatBot, PolledUpdates } from '../../ports/chat-bot.js';

/** How many bots one server listens to. */
const MOST_BOTS = 100;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 60_000];
const ELSEWHERE =
  'Telegram hands what people send to this bot to another program, so that no command is heard here: end that program, delete its webhook with the method deleteWebhook of the Bot API, or have BotFather make a bot for this server alone';

/** What commands are heard and answered with. */
export interface CommandParts {
  readonly bot: ChatBot;
  readonly answer: Pick<AnswerUpdate, 'execute'>;
  readonly hearing: Pick<ReportHearing, 'execute'>;
  /** Whether its token was sealed with the key of this server. */
  isReadable(endpoint: Endpoint): boolean;
  open(sealed: string): string;
}

interface Listening {
  channels: readonly CommandChannel[];
  readonly end: AbortController;
  done: Promise<void>;
}

/** Listens to the bots whose chats may command accounts, while `mayRun`: one server for all that share a store. */
export class CommandPolling {
  /** By token. */
  readonly #bots = new Map<string, Listening>();
  /** Those that ended, until their last answer is done. */
  readonly #ending = new Set<Promise<void>>();
  #isCrowded = false;

  constructor(
    private readonly parts: CommandParts,
    private readonly mayRun: () => boolean,
    private readonly logger: Logger,
  ) {}

  /** Begins to listen where people may command, and ends where nobody may any more. Call it every second with what is sent events. */
  look(endpoints: readonly Endpoint[]): void {
    const wanted = this.mayRun() ? this.#byToken(endpoints.filter(isCommandChannel)) : new Map();
    for (const [token, bot] of this.#bots) if (!wanted.has(token)) this.#end(token, bot);
    for (const [token, channels] of wanted) this.#listen(token, channels);
    const isCrowded = wanted.size > MOST_BOTS;
    if (isCrowded && !this.#isCrowded)
      this.logger.warn(
        { bots: wanted.size },
        `a server listens to the commands of ${MOST_BOTS} bots: the others are not heard`,
      );
    this.#isCrowded = isCrowded;
  }

  /** Listens no more; resolves once the last answer is done. */
  async close(): Promise<void> {
    for (const [token, bot] of this.#bots) this.#end(token, bot);
    await Promise.all(this.#ending);
  }

  #byToken(channels: readonly CommandChannel[]): Map<string, CommandChannel[]> {
    const found = new Map<string, CommandChannel[]>();
    for (const channel of channels) {
      if (!this.parts.isReadable(channel)) continue;
      const token = this.parts.open(channel.secrets.current);
      found.set(token, [...(found.get(token) ?? []), channel]);
    }
    return found;
  }

  #listen(token: string, channels: readonly CommandChannel[]): void {
    const known = this.#bots.get(token);
    if (known !== undefined) known.channels = channels;
    if (known !== undefined || this.#bots.size >= MOST_BOTS) return;
    const bot: Listening = { channels, end: new AbortController(), done: Promise.resolve() };
    this.#bots.set(token, bot);
    bot.done = this.#run(token, bot).catch((error: unknown) => {
      if (!bot.end.signal.aborted) this.logger.error({ err: error }, 'stopped listening to a bot; beginning anew');
      this.#end(token, bot);
    });
  }

  #end(token: string, bot: Listening): void {
    if (this.#bots.get(token) !== bot) return;
    this.#bots.delete(token);
    bot.end.abort();
    this.#ending.add(bot.done);
    void bot.done.finally(() => this.#ending.delete(bot.done));
  }

  async #run(token: string, bot: Listening): Promise<void> {
    await this.parts.bot.introduce(token, COMMANDS);
    let [from, failures, said]: [number | null, number, string] = [null, 0, ''];
    const hearing = new Hearing();
    while (this.#isOn(bot)) {
      const heard = await this.#hear(token, bot, from);
      await this.#alarm(bot, hearing, heard);
      if (heard.kind === 'updates') [from, failures, said] = [heard.next ?? from, 0, ''];
      else {
        if (heard.because !== said && this.#isOn(bot)) this.#report(token, heard);
        said = heard.because;
        await this.#pause(bot, heard, failures);
        failures = Math.min(failures + 1, DOUBLED_AT_MOST);
      }
    }
  }

  /** What cannot be put on record is with the next answer of Telegram. */
  async #alarm(bot: Listening, hearing: Hearing, { kind }: PolledUpdates): Promise<void> {
    const channels = bot.channels;
    const isHeard = hearing.after(kind, channels);
    if (isHeard === null || !this.#isOn(bot)) return;
    try {
      await this.parts.hearing.execute(channels, isHeard);
      hearing.reported(isHeard, channels);
    } catch (error) {
      this.logger.error({ err: error }, 'could not raise or clear the alarm of a bot; retrying');
    }
  }

  #isOn({ end }: Listening): boolean {
    return !end.signal.aborted && this.mayRun();
  }

  #pause({ end: { signal } }: Listening, failed: Failed, failures: number): Promise<unknown> {
    const askedMs = failed.kind === 'failed' ? failed.afterMs : null;
    return pause(askedMs ?? Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), null, { signal });
  }

  /** Waits for updates, and answers each. After a fault of the store Telegram sends them again: what was done is not done twice. */
  async #hear(token: string, bot: Listening, from: number | null): Promise<PolledUpdates> {
    const polled = await this.parts.bot.updates(token, from);
    if (polled.kind !== 'updates' || !this.#isOn(bot)) return polled;
    try {
      for (const update of polled.updates) await this.parts.answer.execute({ token, channels: bot.channels }, update);
      return polled;
    } catch (error) {
      this.logger.error({ err: error }, 'could not answer a command; retrying');
      return { kind: 'failed', because: 'The store did not answer', afterMs: null };
    }
  }

  #report(token: string, { kind, because }: Failed): void {
    const words = kind === 'elsewhere' ? ELSEWHERE : 'could not hear the commands of a bot; retrying';
    this.logger.warn({ bot: token.slice(0, token.indexOf(':')), because }, words);
  }
}

/** Two requests that both ended well: of one that another program asks beside, hardly two in turn do. */
const HEARD_AFTER = 2;

/** Whether commands of a bot are heard, and of which chats that is on record. */
class Hearing {
  #inTurn = 0;
  #reported = '';

  /** Whether they are heard; null where that is not known, or on record. */
  after(kind: PolledUpdates['kind'], channels: readonly CommandChannel[]): boolean | null {
    this.#inTurn = kind === 'updates' ? this.#inTurn + 1 : 0;
    const isHeard = this.#inTurn >= HEARD_AFTER;
    if (kind === 'failed' || (kind === 'updates' && !isHeard)) return null;
    return this.#named(isHeard, channels) === this.#reported ? null : isHeard;
  }

  reported(isHeard: boolean, channels: readonly CommandChannel[]): void {
    this.#reported = this.#named(isHeard, channels);
  }

  #named(isHeard: boolean, channels: readonly CommandChannel[]): string {
    return JSON.stringify([isHeard, ...channels.map(({ id }) => id)]);
  }
}

type Failed = Exclude<PolledUpdates, { kind: 'updates' }>;

/** How often a pause is doubled; beyond that it is the longest one. */
const DOUBLED_AT_MOST = 6;
