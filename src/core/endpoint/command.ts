import type { EndpointId } from '../ids.js';

/** Why a command or a press did nothing, as a sentence for each. */
export const COMMAND_REFUSALS = {
  foreign: 'It came from another chat than the one that it is for.',
  forged: 'Its button was not made by this service for this chat.',
  repeated: 'Its button was used before.',
  decided: 'The bet was decided on before.',
  late: 'It came too late.',
  not_allowed: 'This person may not command the account from this chat.',
  not_a_member: 'This person is not in the chat, or Telegram did not say so.',
  key_unusable: 'The key that let people command the account from this chat was revoked, or has expired.',
  scope_missing: 'The key that let people command the account from this chat may not do that.',
  switched_off: 'The chat is disabled or removed, or nobody may command the account from it any more.',
} as const;

/** One of them. */
export type CommandRefusal = keyof typeof COMMAND_REFUSALS;

/** All of them. */
export const COMMAND_REFUSAL_CODES = Object.keys(COMMAND_REFUSALS) as readonly CommandRefusal[];

/** A command or a press that did nothing. */
export interface RefusedCommand {
  /** The endpoint whose chat or bot it came by. */
  readonly endpointId: EndpointId;
  /** Whoever it came from, as `commander` names them. */
  readonly by: string;
  /** What was asked for: a command such as `/halt`, or what a button does. */
  readonly said: string;
  readonly because: CommandRefusal;
}

/** Names a person who commands an account, on record: `telegram:<id of the webhook>:<number of the user>`. */
export const commander = (endpointId: EndpointId, userId: number): string => `telegram:${endpointId}:${userId}`;

/** What can be commanded, with a few words for each. */
export const COMMANDS = {
  status: 'what stops trading, equity, profit of a day, alarms',
  positions: 'what is held, and what it is worth',
  profit: 'realised and open profit',
  approvals: 'bets that wait for you',
  halt: 'stop all orders, after a press',
  help: 'these commands',
} as const;

/** The name of a command. */
export type CommandName = keyof typeof COMMANDS;
