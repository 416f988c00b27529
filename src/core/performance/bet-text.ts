import type { Usdc } from '../money.js';
import { type RecordCodec, recordIn, recordText, restored } from '../order/event.js';
import type { BetRow } from './bet.js';
import type { BetBook } from './bet-ledger.js';
import { type EarlierOrders, wholeBet } from './earlier-orders.js';

const QUOTED = { best: 'amount', mid: 'amount' } as const;

const BET: RecordCodec = {
  firstFillAt: 'moment',
  lastFillAt: 'moment',
  settledAt: 'moment',
  startsAt: 'moment',
  shares: 'amount',
  held: 'amount',
  stake: 'amount',
  fees: 'amount',
  atDecision: QUOTED,
  atArrival: QUOTED,
  probability: 'amount',
  payout: 'amount',
  paid: 'amount',
  soldFor: 'amount',
  profit: 'amount',
  equityAtEntry: 'amount',
  atRisk: 'amount',
};
const CLOSE: RecordCodec = { price: 'amount', fair: { n: 'amount', d: 'amount' } };

/** Members that are lists, or text or a record: kept as JSON of their own. */
interface Apart {
  lists: string;
  closing: string;
}

type WrittenBet = Omit<BetRow, 'close'> & Partial<Apart>;

/** A bet as JSON, as stores keep it: micro-units as decimal integers in strings. */
export function betText({ fillModels, orderIds, orderSeqs, earlierOrders, close, ...bet }: BetRow): string {
  const apart = earlierOrders === undefined ? [] : [earlierOrders];
  const lists = JSON.stringify([fillModels, orderIds, orderSeqs, ...apart]);
  const closing = typeof close === 'string' ? close : recordText(close);
  return recordText({ ...bet, lists, closing });
}

/** Reads back what `betText` wrote. */
export const betIn = (text: string): BetRow => betOf(JSON.parse(text));

/** Bets, each with all of its orders, of a JSON array of such texts and of those of orders that are kept apart. */
export const betListIn = (texts: string): readonly BetRow[] => parsedBets(JSON.parse(texts));

/** The same of what was parsed already. */
export function parsedBets(all: readonly (WrittenBet | EarlierOrders)[]): readonly BetRow[] {
  const parts = all.flatMap((one) => ('place' in one ? [one] : []));
  const bets = all.flatMap((one) => ('place' in one ? [] : [betOf(one)]));
  return parts.length === 0 ? bets : bets.map((bet) => wholeBet(bet, parts));
}

/** Orders of a bet that are kept apart, as JSON. */
export const earlierOrdersText = (orders: EarlierOrders): string => JSON.stringify(orders);

/** Reads back a JSON array of what `earlierOrdersText` wrote. */
export const earlierOrdersIn = (texts: string): readonly EarlierOrders[] => JSON.parse(texts);

function betOf(written: WrittenBet): BetRow {
  const bet = restored(written, BET);
  const { lists = '[]', closing = '' } = bet;
  // The newest member first: so it stays an object with fixed members.
  delete bet.closing;
  delete bet.lists;
  const [fillModels, orderIds, orderSeqs, earlierOrders] = JSON.parse(lists) as [
    BetRow['fillModels'],
    BetRow['orderIds'],
    BetRow['orderSeqs'],
    number?,
  ];
  const close = (closing.startsWith('{') ? recordIn(closing, CLOSE) : closing) as BetRow['close'];
  const row = Object.assign(bet, { close, fillModels, orderIds, orderSeqs });
  return earlierOrders === undefined ? row : { ...row, earlierOrders };
}

/** The books of an account as JSON. */
export const booksText = (books: ReadonlyMap<string, BetBook>): string =>
  JSON.stringify(
    [...books].map(([name, { cash, atRisk, resets, opening }]) => [
      name,
      `${cash}`,
      `${atRisk}`,
      resets,
      opening === null ? null : `${opening}`,
    ]),
  );

type WrittenBook = readonly [name: string, cash: string, atRisk: string, resets: number, opening: string | null];

/** Reads back what `booksText` wrote. */
export function booksIn(text: string): ReadonlyMap<string, BetBook> {
  const micro = <T extends bigint>(digits: string) => BigInt(digits) as T;
  return new Map(
    (JSON.parse(text) as readonly WrittenBook[]).map(([name, cash, atRisk, resets, opening]) => [
      name,
      { cash: micro(cash), atRisk: micro(atRisk), resets, opening: opening === null ? null : micro<Usdc>(opening) },
    ]),
  );
}
