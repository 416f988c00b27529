import type { Accepted, CancelResult, Exchange, OrderStatusReport, Report, Unknown } from '../../ports/exchange.js';
import { InvariantBroken } from '../errors.js';
import {
  ALLOWED,
  CANCELLATION_UNKNOWN,
  CANCELLED_ON_REQUEST,
  IDENTITY_MISMATCH,
  isInFlight,
  isWorking,
  NEVER_ARRIVED,
} from '../order/lifecycle.js';
import type { KnownPrices } from '../order/market-at-order.js';
import type { Execution, Fill } from '../order/order.js';
import { dollarsLeft, endOf, isImmediate, type Order, type Refusal, remaining } from '../order/order.js';
import type { Posting, StepChange } from './posting.js';

/** The venue's answer; a throw is not a rejection. */
export async function answerOf<T>(exchange: Exchange, ask: () => Promise<T>): Promise<T | Unknown> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error && error.name !== 'Error' ? ` (${error.name})` : '';
    return { kind: 'unknown', reason: `${exchange.venue} did not answer${name}` };
  }
}

/** What the venue says of an order that it has just taken, with the prices of its outcome now, where these are known. */
export function withArrival<Report extends OrderStatusReport>(
  report: Report,
  { intent }: Order,
  prices: KnownPrices | undefined,
): Report {
  if (report.kind !== 'accepted') return report;
  const atArrival = prices?.quoted(intent, intent.outcome) ?? null;
  return atArrival === null ? report : { ...report, atArrival };
}

/**
 * Stores an answer through `store`. An answer that contradicts the order cannot be booked and proves nothing: it is stored
 * as `unknown`, so that the order keeps its reservation and is investigated.
 */
export async function booked<T>(
  answer: OrderStatusReport,
  store: (answer: OrderStatusReport) => Promise<T>,
): Promise<T> {
  try {
    return await store(answer);
  } catch (error) {
    if (!(error instanceof InvariantBroken)) throw error;
    return store({ kind: 'unknown', reason: `The venue's answer cannot be booked: ${error.message}.` });
  }
}

/**
 * Records the venue's answer to a placement, or the result of a query. A repetition changes nothing. An order that has its
 * answer changes only on evidence.
 */
export function recordStatusReport(posting: Posting, report: OrderStatusReport): void {
  if (!isNews(posting.order, report, posting)) return;
  if (report.kind === 'accepted') recordObserved(posting, report);
  else recordRefused(posting, report);
}

/** Records what a venue reports unasked, as of when it happened there. A repetition changes nothing. */
export function recordReport(posting: Posting, report: Report): void {
  posting.happened(report.at);
  if (!isNews(posting.order, report, posting)) return;
  if (report.type === 'fill') {
    posting.fill(report.execution);
    return;
  }
  const { at: _, ...change } = report;
  if (change.type === 'denied') posting.record(refusedAs(posting.order, change.refusal));
  else posting.record(change.type === 'rejected' ? { ...change, presumed: false } : change);
}

function recordRefused(posting: Posting, report: Exclude<OrderStatusReport, Accepted>): void {
  const { order } = posting;
  if (report.kind === 'unknown') posting.record({ type: 'unknown', refusal: doubtOf(report) });
  else if (report.kind === 'absent') posting.record({ type: 'rejected', refusal: NOT_THERE, presumed: true });
  else if (report.kind === 'denied') posting.record(refusedAs(order, report.refusal));
  // An order with fills was accepted, even if the venue rejected the rest.
  else if (order.fills.length > 0) recordEnd(posting);
  else posting.record({ type: 'rejected', refusal: report.refusal, presumed: report.presumed ?? false });
}

const NOT_THERE: Refusal = { code: NEVER_ARRIVED, message: 'The venue never received the order.' };

/** Our own refusal denies an order only before it counts as sent. */
const refusedAs = ({ state }: Order, refusal: Refusal): StepChange =>
  state === 'pending' ? { type: 'denied', refusal } : { type: 'rejected', refusal, presumed: false };

const isAwaited = ({ state }: Order): boolean => isInFlight(state) || state === 'unknown';

/** Why an order is unknown. */
function doubtOf({ reason, halt }: Unknown): Refusal {
  const code = halt?.code === IDENTITY_MISMATCH ? IDENTITY_MISMATCH : 'outcome_unknown';
  return { code, message: reason };
}

const isTakenAsAnother = ({ refusal }: Order): boolean => refusal?.code === IDENTITY_MISMATCH;

/**
 * Books the fills of a resting order before its remainder ends: a cancelled order keeps its fills. An order that is
 * decided in this process gains nothing more once it has ended on record.
 */
export function recordExecutions(posting: Posting, report: OrderStatusReport): void {
  if (report.kind !== 'accepted') return;
  if (!posting.isLocal) recordObserved(posting, report);
  else if (isWorking(posting.order.state)) for (const execution of report.executions) posting.fill(execution);
}

/** Records the venue's answer to a cancellation; without an answer the order stays `cancel_pending`. */
export function recordCancelResult(posting: Posting, cancellation: CancelResult): void {
  const { state } = posting.order;
  if (cancellation.kind === 'cancelled' && (state === 'cancel_pending' || state === 'delayed')) {
    posting.record({ type: 'cancelled', reason: CANCELLED_ON_REQUEST });
  } else if (cancellation.kind === 'refused' && state === 'cancel_pending')
    posting.record({ type: 'cancel_refused', reason: cancellation.reason });
}

/** Brings an order up to what its venue shows: that it arrived, trades that came, were confirmed or undone, and its end. */
function recordObserved(posting: Posting, report: Accepted): void {
  const { venueOrderId, venueReference, atArrival, rest } = report;
  const isUnwanted = posting.order.refusal?.code === CANCELLATION_UNKNOWN;
  if (isNewlyAccepted(posting.order, report)) {
    const delayed = isHeld(posting.order, rest);
    posting.record({ type: 'accepted', venueOrderId, delayed, venueReference, atArrival });
  }
  // An undone trade makes room for one that replaced it, and a new trade covers one that was sold and undone.
  const fits = ({ shares }: Execution) => shares <= remaining(posting.order);
  for (const execution of report.executions) if (fits(execution)) recordExecution(posting, execution);
  for (const tradeId of report.failed) recordFailed(posting, tradeId, rest);
  for (const execution of report.executions) recordExecution(posting, execution);
  if (rest === 'cancelled' || rest === 'none') recordEnd(posting);
  if (isUnwanted && posting.order.state === 'open') posting.record({ type: 'cancel_requested' });
}

function isNewlyAccepted(order: Order, report: Accepted): boolean {
  const { state } = order;
  if (state === 'rejected') return order.presumed && showsLife(order, report);
  return isInFlight(state) || state === 'unknown' || (state === 'delayed' && isBack(order, report.rest));
}

/** True when the order is no longer delayed, and rests or has rested; one that never rests only has its end reported. */
const isBack = ({ intent }: Order, rest: Accepted['rest']): boolean => rest !== 'delayed' && !isImmediate(intent);

/** True when the venue has the order, and it does not rest: one that never rests is not open, but waits for its end. */
const isHeld = ({ intent }: Order, rest: Accepted['rest']): boolean =>
  rest === 'delayed' || (rest === 'open' && isImmediate(intent));

/** True when the venue shows more than an order that ended with nothing, as a rejected one does. */
const showsLife = ({ intent }: Order, { executions, failed = [], rest }: Accepted): boolean =>
  executions.length > 0 || failed.length > 0 || rest === 'delayed' || (rest === 'open' && !isImmediate(intent));

function recordExecution(posting: Posting, execution: Execution): void {
  const known = fillOn(posting.order, execution.tradeId);
  if (known === undefined) posting.fill(execution);
  else if (known.settlement === 'provisional' && execution.confirmed) {
    posting.record({ type: 'fill_confirmed', tradeId: execution.tradeId });
  }
}

/**
 * The shares of an order that never rests are not back on the book; those of others count as back until the venue shows its
 * end.
 */
function recordFailed(posting: Posting, tradeId: string, rest: Accepted['rest']): void {
  if (fillOn(posting.order, tradeId)?.settlement !== 'provisional') return;
  const resting = rest === 'open' && !isImmediate(posting.order.intent);
  posting.record({ type: 'fill_voided', tradeId, resting, reason: 'the venue could not settle the trade' });
}

function recordEnd(posting: Posting): void {
  const { order, at } = posting;
  const { timeInForce } = order.intent;
  const end = endOf(order.intent);
  if (!mayHappen(order, 'cancelled')) return;
  if (order.state === 'cancel_pending') posting.record({ type: 'cancelled', reason: CANCELLED_ON_REQUEST });
  else if (end !== null && end <= at) posting.record({ type: 'expired', reason: 'expires_at has passed' });
  else if (!isImmediate(order.intent)) posting.record({ type: 'cancelled', reason: 'the venue ended the order' });
  else {
    posting.record({ type: 'cancelled', reason: `${timeInForce}: what did not fill at once is cancelled` });
  }
}

/** The fill of a trade, found by its id alone: by its shares and price too, one that is reported anew would count twice. */
const fillOn = ({ fills }: Order, tradeId: string): Fill | undefined => fills.find((fill) => fill.tradeId === tradeId);

/** Where an order is decided. */
type Decided = Pick<Posting, 'isLocal'>;

/** True when a venue's report, or its answer to a query, would change the order; what is on record already would not. */
export function isNews(order: Order, report: OrderStatusReport | Report, decided: Decided): boolean {
  return 'kind' in report ? isStatusNews(order, report, decided) : isReportNews(order, report, decided);
}

function isStatusNews(order: Order, report: OrderStatusReport, { isLocal }: Decided): boolean {
  switch (report.kind) {
    case 'accepted':
      return (isAwaited(order) || !isLocal) && isAcceptedNews(order, report);
    case 'unknown':
      return isInFlight(order.state);
    case 'absent':
      return isAwaited(order) && !isTakenAsAnother(order);
    case 'denied':
      return isAwaited(order);
    case 'rejected':
      return mayHappen(order, 'rejected');
  }
}

function isAcceptedNews(order: Order, report: Accepted): boolean {
  const { executions, failed, rest } = report;
  const provisional = (tradeId: string) => fillOn(order, tradeId)?.settlement === 'provisional';
  return (
    isNewlyAccepted(order, report) ||
    executions.some(({ tradeId, confirmed }) => !fillOn(order, tradeId) || (confirmed && provisional(tradeId))) ||
    failed.some(provisional) ||
    ((rest === 'cancelled' || rest === 'none') && isWorking(order.state))
  );
}

function isReportNews(order: Order, report: Report, { isLocal }: Decided): boolean {
  const { state } = order;
  if (report.type === 'fill') {
    const isKnown = fillOn(order, report.execution.tradeId) !== undefined;
    return !isKnown && (!isLocal || isWorking(state) || spendsOn(order));
  }
  if (report.type === 'accepted' && state === 'delayed') return !report.delayed;
  return mayHappen(order, report.type === 'denied' ? 'rejected' : report.type);
}

/** The dollars of a purchase may buy more at the same moment, even after it was filled in full. */
const spendsOn = (order: Order): boolean =>
  order.state === 'filled' && order.settlement === null && (dollarsLeft(order) ?? 0n) > 0n;

function mayHappen({ state, settlement }: Order, type: keyof typeof ALLOWED): boolean {
  const allowed: readonly string[] = ALLOWED[type];
  return settlement === null && allowed.includes(state);
}

/** Where a status report contradicts what is final on record; null as a rule. What is not final may be reported late. */
export function contradictionOf(order: Order, report: OrderStatusReport): string | null {
  const { fills, state } = order;
  if (report.kind !== 'accepted') return null;
  const undone = fills.find(({ tradeId, settlement }) => settlement === 'confirmed' && report.failed.includes(tradeId));
  if (undone !== undefined) return `trade ${undone.tradeId} was confirmed, and is reported as failed`;
  const settled = (tradeId: string) => report.executions.some((one) => one.tradeId === tradeId && one.confirmed);
  const back = fills.find(({ tradeId, settlement }) => settlement === 'voided' && settled(tradeId));
  if (back !== undefined) return `trade ${back.tradeId} had failed, and is reported as confirmed`;
  const isRefuted = state === 'rejected' && !order.presumed && showsLife(order, report);
  return isRefuted ? 'it was rejected, but the venue shows it' : null;
}
