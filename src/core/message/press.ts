import type { Button } from '../../ports/messenger.js';
import type { CommandGrant } from '../endpoint/person-target.js';
import { type EndpointId, shortId } from '../ids.js';
import type { Approval } from '../strategy/record/approval.js';

/** What a press does, and the letter that stands for it. */
const LETTERS = { approve: 'a', reject: 'r', halt: 'h' } as const;

/** One of them. */
export type PressAction = keyof typeof LETTERS;

/** What a button stands for. */
export interface Press {
  readonly action: PressAction;
  /** The id of an approval, or one that only makes the button another one than those before. */
  readonly subject: string;
  /** From then on it does nothing, as `endText`; `NEVER` where its subject says when. */
  readonly until: string;
}

/** Tells of a text what only this service can. */
export type CodeOf = (text: string) => string;

const TOKEN = /^([arh])([0-9a-f]{32})([0-9a-z]{8})([\w-]{22})$/;
const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const [BASE, DIGITS] = [36, 8];

/** No moment: none is later. */
export const NEVER = '0'.repeat(DIGITS);

/** A moment as a text of eight characters; an earlier one is the smaller text. */
export const endText = (at: Date): string => at.getTime().toString(BASE).padStart(DIGITS, '0');

/** The text of a button in the messages of a channel, of 63 characters: nobody else can make it, and no other channel takes it. */
export function pressToken(channel: EndpointId, { action, subject, until }: Press, codeOf: CodeOf): string {
  const body = `${LETTERS[action]}${subject.replaceAll('-', '')}${until}`;
  return `${body}${codeFor(channel, body, codeOf)}`;
}

/** What a text stands for that `pressToken` made for this channel; null for any other text. */
export function pressIn(token: string, channel: EndpointId, codeOf: CodeOf): Press | null {
  const [, letter = '', hex = '', until = '', code] = TOKEN.exec(token) ?? [];
  const action = ACTIONS.find((one) => LETTERS[one] === letter);
  if (action === undefined || code !== codeFor(channel, `${letter}${hex}${until}`, codeOf)) return null;
  return { action, subject: hex.replace(UUID, '$1-$2-$3-$4-$5'), until };
}

const ACTIONS = Object.keys(LETTERS) as readonly PressAction[];
const codeFor = (channel: EndpointId, body: string, codeOf: CodeOf): string => codeOf(`press ${channel} ${body}`);

/** True where people with these rights may reject a bet. */
export const mayReject = ({ may }: Pick<CommandGrant, 'may'>): boolean =>
  may.some((scope) => scope === 'orders:paper' || scope === 'orders:live' || scope === 'orders:cancel');

/** What can be pressed for a bet that waits: real money is never approved so. */
export function approvalButtons(
  { id, paper }: Pick<Approval, 'id' | 'paper'>,
  channel: EndpointId,
  grant: CommandGrant,
  codeOf: CodeOf,
): readonly Button[] {
  const button = (action: PressAction, verb: string): Button => ({
    label: `${verb} ${shortId(id)}`,
    data: pressToken(channel, { action, subject: id, until: NEVER }, codeOf),
  });
  return [
    ...(paper && grant.may.includes('orders:paper') ? [button('approve', 'Approve')] : []),
    ...(mayReject(grant) ? [button('reject', 'Reject')] : []),
  ];
}
