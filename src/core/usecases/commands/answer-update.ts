import type { ChatBot, ChatCommand, ChatPress, ChatUpdate } from '../../../ports/chat-bot.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Ids } from '../../../ports/system.js';
import { isUsable } from '../../access/api-key.js';
import type { AuthScope } from '../../access/principal.js';
import { DomainError } from '../../domain-error.js';
import { COMMAND_REFUSALS, COMMANDS, type CommandRefusal, commander } from '../../endpoint/command.js';
import { type CommandChannel, isCommandChannel, personOf } from '../../endpoint/person.js';
import type { CommandGrant, TelegramTarget } from '../../endpoint/person-target.js';
import { IdempotencyKeyReused, StorageUnavailable } from '../../errors.js';
import type { ApprovalId, EndpointId } from '../../ids.js';
import { eventWords } from '../../message/event-words.js';
import { type CodeOf, endText, mayReject, NEVER, type Press, pressIn, pressToken } from '../../message/press.js';
import type { Approval } from '../../strategy/record/approval.js';
import { ApprovalNotFound, ApprovalNotWaiting, ScopeMissing } from '../../strategy/rules/strategy-refusals.js';
import type { ApproveBet } from '../approvals/approve-bet.js';
import type { RejectBet } from '../approvals/reject-bet.js';
import type { MessageLines } from '../endpoints/send-through.js';
import { buttonRows, type SendToPerson } from '../endpoints/send-to-person.js';
import type { Recorded } from '../orders/place-order.js';
import type { SetTradingState } from '../trading/set-trading-state.js';
import type { CommandAnswers } from './command-answers.js';

/** A bot, and the chats of it from which people may command accounts: one account or several. */
export interface BotChannels {
  readonly token: string;
  readonly channels: readonly CommandChannel[];
}

/** What commands are answered with. */
export interface AnswerParts {
  readonly ledger: Pick<Ledger, 'endpoints' | 'read' | 'write'>;
  readonly bot: ChatBot;
  readonly people: Pick<SendToPerson, 'execute'>;
  readonly answers: CommandAnswers;
  readonly approve: Pick<ApproveBet, 'execute'>;
  readonly reject: Pick<RejectBet, 'execute'>;
  readonly halt: Pick<SetTradingState, 'execute'>;
  readonly codeOf: CodeOf;
  readonly wallClock: Clock;
  readonly ids: Ids;
}

/** A chat whose sender may act, and whose rights they have. */
interface Allowed {
  readonly channel: CommandChannel;
  readonly grant: CommandGrant;
  readonly by: string;
}

const LATE_MS = 10 * 60_000;
const HOUR_MS = 60 * 60_000;
/** How many refusals of one channel are put on record in an hour: whoever finds a bot can write to it. */
const MOST_RECORDED = 20;
const HALT_REASON = 'from Telegram';

/**
 * Does what people ask for in the chats of a bot: shows, approves on paper, rejects and halts, by the use cases and with the rights of
 * the credential that let them. A button counts once: its text is the idempotency key of the write that acts. Nothing risks real
 * money, and nothing lets trading go on. What is refused does nothing, and is an event.
 */
export class AnswerUpdate {
  readonly #recorded = new Map<EndpointId, { from: number; count: number }>();

  constructor(private readonly parts: AnswerParts) {}

  /** @throws StorageUnavailable: then the update may be answered again */
  execute(bot: BotChannels, update: ChatUpdate): Promise<void> {
    return update.kind === 'press' ? this.#press(bot, update) : this.#command(bot, update);
  }

  async #command(bot: BotChannels, command: ChatCommand): Promise<void> {
    const name = command.name in COMMANDS || command.name === 'start' ? `/${command.name}` : 'a command';
    const isHere = ({ target }: CommandChannel) => isOfChat(target, command) && target.threadId === command.threadId;
    const here = bot.channels.filter(isHere);
    if (here.length === 0) return this.#refuseForAll(bot.channels, command, name, 'foreign');
    for (const channel of here) {
      const isLate = this.#now() - command.at.getTime() > LATE_MS;
      const allowed = isLate ? 'late' : await this.#allowed(bot, channel, command);
      if (typeof allowed === 'string') await this.#refuse(channel, command, name, allowed);
      else await this.#answer(allowed, command.name, name, command);
    }
  }

  async #answer({ channel, grant }: Allowed, name: string, said: string, update: ChatUpdate): Promise<void> {
    const { answers, codeOf, ids } = this.parts;
    const needed: AuthScope = name === 'halt' ? 'orders:cancel' : 'orders:read';
    if (!grant.may.includes(needed)) return this.#refuse(channel, update, said, 'scope_missing');
    if (name === 'halt') {
      const [line] = HALT_LINES;
      const until = endText(new Date(this.#now() + LATE_MS));
      const press: Press = { action: 'halt', subject: ids.next(), until };
      const buttons = [{ label: 'Halt now', data: pressToken(channel.id, press, codeOf) }];
      return this.#send(channel, { lines: HALT_LINES, rows: [{ line, buttons }] });
    }
    const { lines, asked } = await answers.execute(channel, name);
    return this.#send(channel, { lines, rows: buttonRows(channel, asked, codeOf) });
  }

  async #press(bot: BotChannels, update: ChatPress): Promise<void> {
    const { codeOf } = this.parts;
    for (const channel of bot.channels) {
      const press = pressIn(update.data, channel.id, codeOf);
      if (press === null) continue;
      const outcome = await this.#pressed(bot, channel, update, press);
      if (typeof outcome !== 'string') return this.#done(bot, channel, update, outcome);
      await this.#refuse(channel, update, press.action, outcome);
      if (USED_UP.has(outcome)) await this.parts.bot.removeButtons(bot.token, update);
      return this.parts.bot.answerPress(bot.token, update.id, COMMAND_REFUSALS[outcome]);
    }
    const here = bot.channels.filter(({ target }) => isOfChat(target, update));
    const because = here.length > 0 ? 'forged' : 'foreign';
    await this.#refuseForAll(here.length > 0 ? here : bot.channels, update, 'a press', because);
    return this.parts.bot.answerPress(bot.token, update.id, COMMAND_REFUSALS[because]);
  }

  async #done({ token }: BotChannels, channel: CommandChannel, update: ChatPress, said: Said): Promise<void> {
    const { bot } = this.parts;
    await bot.answerPress(token, update.id, said.toast);
    if (!said.isDone) return;
    await bot.removeButtons(token, update);
    if (said.line !== null) await this.#send(channel, { lines: [said.line] });
  }

  async #pressed(
    bot: BotChannels,
    channel: CommandChannel,
    update: ChatPress,
    press: Press,
  ): Promise<Said | CommandRefusal> {
    if (!isOfChat(channel.target, update)) return 'foreign';
    const allowed = await this.#allowed(bot, channel, update);
    if (typeof allowed === 'string') return allowed;
    if (press.until !== NEVER && press.until <= endText(this.parts.wallClock.now())) return 'late';
    try {
      return await this.#act(allowed, update.data, press);
    } catch (error) {
      return whyNot(error);
    }
  }

  async #act(
    { channel, grant, by }: Allowed,
    data: string,
    { action, subject }: Press,
  ): Promise<Said | CommandRefusal> {
    const { approve, reject } = this.parts;
    const idempotencyKey = `telegram:${data}`;
    if (action === 'halt') return this.#halt({ channel, grant, by }, idempotencyKey);
    const { account } = channel;
    const answered = { account, approvalId: subject as ApprovalId, by, idempotencyKey };
    if (action === 'reject')
      return mayReject(grant) ? this.#decided(await reject.execute(answered), by, channel) : 'scope_missing';
    // Nothing but paper is ever approved from here, whatever the credential may do.
    const may = new Set(grant.may.filter((scope) => scope === 'orders:paper'));
    return this.#decided(await approve.execute({ ...answered, may, mayTradeLive: false }), by, channel);
  }

  #decided({ record, replayed }: Recorded<Approval>, by: string, channel: CommandChannel): Said | CommandRefusal {
    if (replayed) return 'repeated';
    if (record.decidedBy !== by) return 'decided';
    const news = { seq: 0, type: `approval.${record.state}`, data: { kind: 'approval', approval: record } } as const;
    const line = eventWords({ ...news, strategy: null }, this.parts.answers.timeOf(channel));
    return { toast: `The bet is ${record.state}.`, isDone: true, line };
  }

  async #halt({ channel: { account }, grant, by }: Allowed, idempotencyKey: string): Promise<Said | CommandRefusal> {
    if (!grant.may.includes('orders:cancel')) return 'scope_missing';
    const { replayed } = await this.parts.halt.execute({
      account,
      change: { scope: 'account', state: 'halted', stops: 'all', reason: HALT_REASON, by, until: null },
      cancel: false,
      may: new Set<AuthScope>(['orders:cancel']),
      idempotencyKey,
    });
    return replayed
      ? 'repeated'
      : { toast: 'Trading is halted.', isDone: true, line: 'HALTED. To resume: stakeport resume.' };
  }

  /** Whoever sent it, where the chat lets them act at this moment. */
  async #allowed(bot: BotChannels, known: CommandChannel, update: ChatUpdate): Promise<Allowed | CommandRefusal> {
    const { ledger } = this.parts;
    const found = await ledger.endpoints.find(known.account, known.id);
    if (found === undefined || found.state !== 'active' || !isCommandChannel(found)) return 'switched_off';
    const grant = found.target.commands;
    if (grant === undefined) return 'switched_off';
    if (!isOfChat(found.target, update)) return 'foreign';
    if (!grant.users.includes(update.userId)) return 'not_allowed';
    if (!(await this.#isUsable(found, grant))) return 'key_unusable';
    const isAlone = update.chatId === `${update.userId}`;
    const isMember = isAlone || (await this.parts.bot.isMember(bot.token, update.chatId, update.userId));
    return isMember ? { channel: found, grant, by: commander(found.id, update.userId) } : 'not_a_member';
  }

  async #isUsable({ account }: CommandChannel, { kind, by }: CommandGrant): Promise<boolean> {
    if (kind !== 'key') return true;
    const key = await this.parts.ledger.read({ account, keys: [by] }, (now) => now.key(by));
    return key !== undefined && isUsable(key, this.parts.wallClock.now());
  }

  async #send(channel: CommandChannel, said: Pick<MessageLines, 'lines' | 'rows'>): Promise<void> {
    const title = channel.description === '' ? 'stakeport' : channel.description;
    await this.parts.people.execute(personOf(channel), { title, beyond: 0, isUrgent: false, ...said });
  }

  /** On record of each account once, at most. */
  async #refuseForAll(channels: readonly CommandChannel[], update: ChatUpdate, said: string, because: CommandRefusal) {
    const firsts = new Map(channels.map((one) => [one.account, one]));
    for (const channel of firsts.values()) await this.#refuse(channel, update, said, because);
  }

  async #refuse(channel: CommandChannel, { userId }: ChatUpdate, said: string, because: CommandRefusal): Promise<void> {
    const { account, id: endpointId } = channel;
    if (!this.#isRecorded(endpointId)) return;
    const refused = { endpointId, by: commander(endpointId, userId), said, because };
    await this.parts.ledger.write({ account }, () => ({ result: null, refusedCommands: [refused] }));
  }

  #isRecorded(id: EndpointId): boolean {
    const now = this.#now();
    const before = this.#recorded.get(id);
    const { from, count } = before !== undefined && now - before.from < HOUR_MS ? before : { from: now, count: 0 };
    this.#recorded.set(id, { from, count: count + 1 });
    return count < MOST_RECORDED;
  }

  #now(): number {
    return this.parts.wallClock.now().getTime();
  }
}

/** What whoever pressed is told. */
interface Said {
  readonly toast: string;
  /** Whether its button is used up. */
  readonly isDone: boolean;
  /** What the chat is told; null for nothing. */
  readonly line: string | null;
}

/** What a refused act means for whoever pressed: its button may be pressed again where the reason may pass. @throws what is no refusal */
function whyNot(error: unknown): Said | CommandRefusal {
  if (error instanceof IdempotencyKeyReused) return 'repeated';
  if (error instanceof ApprovalNotWaiting) return error.state === 'expired' ? 'late' : 'decided';
  if (error instanceof ApprovalNotFound) return 'forged';
  if (error instanceof ScopeMissing) return 'scope_missing';
  if (error instanceof StorageUnavailable || !(error instanceof DomainError)) throw error;
  return { toast: error.message, isDone: false, line: null };
}

/** After these a button is of no use any more. */
const USED_UP: ReadonlySet<CommandRefusal> = new Set(['repeated', 'decided', 'late']);
const HALT_LINES = [
  'Halt every order of this account, on paper and with real money?',
  'Working orders stay: stakeport cancel ends them. To resume: stakeport resume.',
] as const;

const isOfChat = ({ chatId }: TelegramTarget, update: Pick<ChatUpdate, 'chatId'>): boolean => chatId === update.chatId;
