import { ONE, type Price, parseMicro, type Usdc } from '../core/money.js';
import type { Proposal } from '../core/strategy/conditions/candidate.js';

/** What a function bets. Numbers are rounded to 6 decimals. */
export interface ProposedBet {
  /** The money to spend, with fees; less is bet where a cap, a limit or the book leaves less. */
  readonly usdc: number | string;
  /** The worst price to buy at; by default the best one. */
  readonly price?: number | string;
  /** How probable the outcome is; stated, it is scored against the results. */
  readonly probability?: number | string;
}

const ALLOWED: Readonly<Record<keyof ProposedBet, string>> = {
  usdc: 'usdc is the money to spend, above 0 and with at most 6 decimals (round what is computed); null is no bet',
  price: 'a price is above 0 and below 1, with at most 6 decimals',
  probability: 'a probability is above 0 and below 1, with at most 6 decimals',
};

/** What was proposed wrongly, and what is allowed. */
export class WrongProposal {
  constructor(
    readonly what: string,
    readonly allowed: string,
  ) {}
}

/** A bet as the core reads it. Money is never rounded. */
export function proposalOf(bet: ProposedBet): Proposal | WrongProposal {
  const unknown = Object.keys(bet).find((member) => !(member in ALLOWED));
  if (unknown !== undefined)
    return new WrongProposal(`the unknown member ${unknown}`, `a bet has ${Object.keys(ALLOWED).join(', ')}`);
  if (bet.usdc === undefined) return new WrongProposal('a bet without usdc', ALLOWED.usdc);
  const [stake, limit, probability] = [amountOf(bet.usdc), amountOf(bet.price), probabilityOf(bet.probability)];
  const wrong = (member: keyof ProposedBet) => new WrongProposal(`${member} ${shown(bet[member])}`, ALLOWED[member]);
  if (stake === null || stake === undefined) return wrong('usdc');
  if (limit === null || isCertain(limit)) return wrong('price');
  if (probability === null || isCertain(probability)) return wrong('probability');
  return { stake: stake as Usdc, limit: (limit ?? null) as Price | null, probability: probability ?? null };
}

type Given = number | string | undefined;

const shown = (given: Given): string => (typeof given === 'string' ? JSON.stringify(given) : String(given));
const isCertain = (amount: bigint | undefined): boolean => amount !== undefined && amount >= ONE;

/** What a model computes is rounded. */
const probabilityOf = (given: Given) => amountOf(typeof given === 'number' ? given.toFixed(6) : given);

/** Null for what is no amount above 0. */
function amountOf(given: Given): bigint | null | undefined {
  if (given === undefined) return undefined;
  try {
    const read = parseMicro(String(given));
    return read > 0n ? read : null;
  } catch {
    return null;
  }
}
