import { accountNamed } from '../core/access/principal.js';
import { AmountMalformed, DomainError } from '../core/errors.js';
import type { AccountId, ApprovalId, EndpointId, MarketId, OrderId, StrategyId, VenueName } from '../core/ids.js';
import type { Page } from '../core/ledger/query.js';
import { MARKET_ID, VENUE_NAME } from '../core/market/market.js';
import { parseMicro } from '../core/money.js';

/** An amount as a program writes it: a number or a decimal in a string, with at most six decimals. Nothing is rounded. */
export type Decimal = number | string;

/** An argument is not valid: `member` names it, and the message says what to pass instead. */
export class InputInvalid extends DomainError {
  readonly code = 'input_invalid';

  /** `words` go on after the member: `must be …`. */
  constructor(
    readonly member: string,
    readonly words: string,
  ) {
    super(`${member} ${words}.`);
  }
}

/** Makes the error for a member that is not valid. */
export type Refuse = (member: string, words: string) => DomainError;

/** Refuses what is not an order, a strategy or a page. */
export const refuse: Refuse = (member, words) => new InputInvalid(member, words);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const KEY = /^[!-~]([ -~]{0,253}[!-~])?$/;
const MOST_AT_ONCE = 100;
const MOST_SHOWN = 60;

/**
 * The name of an account. @throws InputInvalid
 *
 * @example
 * ```ts
 * import { accountId } from 'stakeport';
 *
 * const me = accountId('me');
 * ```
 */
export function accountId(text: string): AccountId {
  const named = typeof text === 'string' ? accountNamed(text) : undefined;
  if (named !== undefined) return named;
  const words = 'must be 1 to 128 letters, digits and . _ - @ + :, beginning with a letter or digit';
  throw refuse('account', `${words}; got ${shownBriefly(text)}`);
}

/**
 * A market by its id, its slug or the venue's number. @throws InputInvalid
 *
 * @example
 * ```ts
 * import { marketId } from 'stakeport';
 *
 * const market = marketId('epl-ars-che-2026-12-05');
 * ```
 */
export function marketId(text: string): MarketId {
  if (typeof text === 'string' && MARKET_ID.test(text)) return text as MarketId;
  throw refuse('market', `must be 1 to 128 letters, digits and . _ : -; got ${shownBriefly(text)}`);
}

/**
 * A venue by its name. @throws InputInvalid
 *
 * @example
 * ```ts
 * import { createStakeport, venueName } from 'stakeport';
 *
 * const stakeport = createStakeport();
 * const { items } = await stakeport.markets.search({ text: 'arsenal', venue: venueName('own') });
 * ```
 */
export function venueName(text: string): VenueName {
  if (typeof text === 'string' && VENUE_NAME.test(text)) return text as VenueName;
  throw refuse('venue', `must be 1 to 32 of a to z, digits, _ and -, a letter first; got ${shownBriefly(text)}`);
}

/**
 * An order by its id, in any case. @throws InputInvalid
 *
 * @example
 * ```ts
 * import { createStakeport, orderId } from 'stakeport';
 *
 * const order = await createStakeport().orders.get('me', orderId(process.argv[2] ?? ''));
 * ```
 */
export const orderId = (text: string): OrderId => uuid('order', text) as OrderId;

/**
 * A strategy by its id, in any case. @throws InputInvalid
 *
 * @example
 * ```ts
 * import { createStakeport, strategyId } from 'stakeport';
 *
 * await createStakeport().strategies.pause('me', strategyId('0197f1b0-0000-7000-8000-000000000000'));
 * ```
 */
export const strategyId = (text: string): StrategyId => uuid('strategy', text) as StrategyId;

/**
 * An approval by its id, in any case. @throws InputInvalid
 *
 * @example
 * ```ts
 * import { approvalId, createStakeport } from 'stakeport';
 *
 * const approval = await createStakeport().approvals.approve('me', approvalId(process.argv[2] ?? ''));
 * ```
 */
export const approvalId = (text: string): ApprovalId => uuid('approval', text) as ApprovalId;

/**
 * A webhook by its id, in any case. @throws InputInvalid
 *
 * @example
 * ```ts
 * import { webhookId } from 'stakeport';
 *
 * const webhook = webhookId('0197f1b0-0000-7000-8000-000000000000');
 * ```
 */
export const webhookId = (text: string): EndpointId => uuid('webhook', text) as EndpointId;

function uuid(member: string, text: string): string {
  if (typeof text === 'string' && UUID.test(text)) return text.toLowerCase();
  throw refuse(member, `must be the UUID that it was given; got ${shownBriefly(text)}`);
}

/** Micro-units of a plain decimal that passes the check. @throws what `refuse` makes */
export function micro(
  member: string,
  value: Decimal,
  [holds, words]: readonly [(micro: bigint) => boolean, string],
  no: Refuse = refuse,
): bigint {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') {
    throw no(member, `must be a number or a decimal in a string, such as '0.57'; got ${shownBriefly(value)}`);
  }
  const read = parsed(text);
  if (typeof read === 'string') throw no(member, `${read}; got ${shownBriefly(value)}`);
  if (!holds(read)) throw no(member, `must be ${words}; got ${shownBriefly(value)}`);
  return read;
}

/** The condition of `micro` for an amount of money. */
export const ABOVE_ZERO = [(amount: bigint) => amount > 0n, 'greater than 0'] as const;

function parsed(text: string): bigint | string {
  try {
    return parseMicro(text);
  } catch (error) {
    if (error instanceof AmountMalformed) return error.message;
    throw error;
  }
}

/** Null, or a key that names one intent. @throws InputInvalid */
export function keyOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  if (typeof text === 'string' && KEY.test(text)) return text;
  throw refuse('idempotencyKey', `must be 1 to 255 printable ASCII characters; got ${shownBriefly(text)}`);
}

/** A part of a list. */
export interface PageRequest<Key> {
  /** 1 to 100; by default 50. */
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: Key;
}

/** The requested page; `others` are the members that the request may have beside those of a page. @throws InputInvalid */
export function pageOf<Key>(request: PageRequest<Key>, others: readonly string[] = []): Page<Key> {
  onlyMembers(request, ['limit', 'after', ...others]);
  const { limit = 50, after } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_AT_ONCE) {
    throw refuse('limit', `must be a whole number from 1 to ${MOST_AT_ONCE}; got ${shownBriefly(limit)}`);
  }
  return { limit, ...(after !== undefined && { after }) };
}

/** Refuses unknown members: a misspelt one must not be taken for an absent one. @throws what `no` makes */
export function onlyMembers(value: object, members: readonly string[], no: Refuse = refuse): void {
  const stranger = Object.keys(value).find((name) => !members.includes(name));
  if (stranger !== undefined) throw no(stranger, `is not known; known members are ${members.join(', ')}`);
}

/** One of these words. @throws InputInvalid */
export function knownWord<Word extends string>(member: string, value: Word, words: readonly Word[]): Word {
  if (!words.includes(value)) throw refuse(member, `must be one of ${words.join(', ')}; got ${shownBriefly(value)}`);
  return value;
}

/** A value as a message shows it. */
export function shownBriefly(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : typeof value === 'object' ? 'an object' : String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

const CONTROL = /\p{Cc}/u;
const MOST_LETTERS = 80;

/** True or false. @throws InputInvalid */
export function flag(member: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw refuse(member, `must be true or false; got ${shownBriefly(value)}`);
  return value;
}

/** A name or a word, as people write them. @throws InputInvalid */
export function text(member: string, value: string): string {
  const fits =
    typeof value === 'string' &&
    value.isWellFormed() &&
    !CONTROL.test(value) &&
    value.trim() !== '' &&
    [...value].length <= MOST_LETTERS;
  if (!fits)
    throw refuse(
      member,
      `must be 1 to ${MOST_LETTERS} characters, not blank, without control characters; got ${shownBriefly(value)}`,
    );
  return value;
}
