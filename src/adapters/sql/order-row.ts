import type { DecisionId } from '../../core/ids.js';
import { decodeMarketAtOrder, decodeQuoted } from '../../core/order/event.js';
import type { Envelope, Fill, Intent, Order } from '../../core/order/order.js';
import { type Cell, countedOrderIn, flagIn, microIn, momentIn, textIn, wholeIn } from './columns.js';
import { decodeFee } from './stored-fee.js';

type Stored = Cell | undefined;

const textOrNull = (cell: Stored): string | null => (cell === null ? null : textIn(cell));
const microOrNull = <V extends bigint>(cell: Stored): V | null => (cell === null ? null : microIn<V>(cell));
const momentOrNull = (cell: Stored): Date | null => (cell === null ? null : momentIn(cell));

/**
 * An order from the cells of its row, in the order of the columns, and its fills. Literals, because a page is read
 * fifty orders at a time: member by member, as `RowCodec` reads other rows, takes three times as long.
 */
export function orderIn(cells: readonly Cell[], fills: readonly Fill[]): Order {
  const [id, account] = cells;
  const [state, venueOrderId, venueReference, filledShares, confirmed, notional, fees] = cells.slice(30, 37);
  const [settledAt, returned, refusalCode, refusalMessage, presumed, atArrival] = cells.slice(37, 43);
  const [placedAt, updatedAt, seq, eventHash] = cells.slice(43, 47);
  return {
    id: textIn(id),
    account: textIn(account),
    intent: intentIn(cells),
    state: textIn(state),
    venueOrderId: textOrNull(venueOrderId),
    venueReference: textOrNull(venueReference),
    fills,
    filled: {
      shares: microIn(filledShares),
      confirmed: microIn(confirmed),
      notional: microIn(notional),
      fees: microIn(fees),
    },
    settlement: settledAt === null ? null : { at: momentIn(settledAt), returned: microIn(returned) },
    refusal: refusalCode === null ? null : { code: textIn(refusalCode), message: textIn(refusalMessage) },
    presumed: flagIn(presumed),
    atArrival: atArrival === null ? undefined : decodeQuoted(textIn(atArrival)),
    placedAt: momentIn(placedAt),
    updatedAt: momentIn(updatedAt),
    seq: wholeIn(seq),
    eventHash: textIn(eventHash),
  };
}

function intentIn(cells: readonly Cell[]): Intent {
  const [marketId, marketSlug, conditionId, question, outcomeLabel, outcome, side, price, size, shares] = cells.slice(
    2,
    12,
  );
  const [timeInForce, expiresAt, postOnly, paper, strategyId, version, fee] = cells.slice(12, 19);
  const [content, sendBy, spends, dust, arrivesAt, venue, sport, decisionId, day, counted, decidedOn] = cells.slice(
    19,
    30,
  );
  return {
    marketId: textIn(marketId),
    marketSlug: textOrNull(marketSlug),
    conditionId: textOrNull(conditionId),
    question: textOrNull(question),
    outcomeLabel: textOrNull(outcomeLabel),
    outcome: textIn(outcome),
    side: textIn(side),
    price: microIn(price),
    size: microIn(size),
    shares: microIn(shares),
    timeInForce: textIn(timeInForce),
    expiresAt: momentOrNull(expiresAt),
    postOnly: flagIn(postOnly),
    paper: flagIn(paper),
    strategy: strategyId === null ? null : { id: textIn(strategyId), version: wholeIn(version) },
    feeSchedule: fee === null ? null : decodeFee(textIn(fee)),
    envelope: content === null ? null : envelopeIn(content, sendBy, spends, dust),
    // For an order without an envelope the dollars are the order's own.
    spends: content === null ? microOrNull(spends) : null,
    arrivesAt: momentOrNull(arrivesAt),
    venue: textIn(venue),
    sport: sport === null ? undefined : textIn(sport),
    decisionId: decisionId === null ? undefined : textIn<DecisionId>(decisionId),
    day: day === null ? undefined : textIn(day),
    counted: counted === null ? undefined : countedOrderIn(textIn(counted)),
    decidedOn: decidedOn === null ? undefined : decodeMarketAtOrder(textIn(decidedOn)),
  };
}

const envelopeIn = (content: Stored, sendBy: Stored, spends: Stored, dust: Stored): Envelope => ({
  content: textIn(content),
  sendBy: momentIn(sendBy),
  spends: microOrNull(spends),
  dust: microIn(dust),
});
