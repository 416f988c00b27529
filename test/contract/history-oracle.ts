import { expect } from 'vitest';
import { sha256 } from '../../src/adapters/system/system.js';
import type { JournalAccount } from '../../src/core/account/account.js';
import { PAPER_CASH } from '../../src/core/account/account.js';
import { type Position, paidFor } from '../../src/core/account/position.js';
import { leavesNoEntry } from '../../src/core/audit/fill-audit.js';
import type { AccountId } from '../../src/core/ids.js';
import type { OutcomeSide } from '../../src/core/market/market.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import { usdc } from '../../src/core/money.js';
import { applyEvent, replay } from '../../src/core/order/apply.js';
import type { OrderEvent } from '../../src/core/order/event.js';
import { chainText } from '../../src/core/order/event.js';
import type { Fill, Order } from '../../src/core/order/order.js';
import type { Exposure, Strategy } from '../../src/core/strategy/strategy.js';
import { AuditBooks } from '../../src/core/usecases/accounts/audit-books.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { MARKET } from '../support/builders.js';
import { look } from '../support/trading.js';
import type { Story } from './history-story.js';

const OPENING = usdc('1000');
const WORKING = new Set(['pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending']);
const EXPLAINED = new Set(['denied', 'rejected', 'failed', 'unknown']);
const OUTCOME_SIDES: readonly OutcomeSide[] = ['YES', 'NO'];

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const isVoided = ({ settlement }: Fill): boolean => settlement === 'voided';
const counted = ({ fills }: Order): readonly Fill[] => fills.filter((fill) => !isVoided(fill));
const sharesIn = (order: Order): bigint => sum(counted(order).map(({ shares }) => shares));
const ceil = (micro: bigint): bigint => (micro + 999_999n) / 1_000_000n;

/** What an order took out of the cash (negative) or brought in, fees included. */
function flow(order: Order): bigint {
  const buying = order.intent.side === 'BUY';
  return sum(counted(order).map(({ notional, fee }) => (buying ? -notional - fee : notional - fee)));
}

/** What an order still reserves: cash of a purchase, shares of a sale. */
function kept(order: Order, side: 'BUY' | 'SELL'): bigint {
  const { intent, state } = order;
  if (intent.side !== side || !WORKING.has(state)) return 0n;
  const done = sharesIn(order);
  if (side === 'SELL') return intent.shares - done;
  return ceil(intent.shares * intent.price) - ceil(done * intent.price);
}

/** Compares what the ledger says about an account with the sums of its orders. */
export async function checkBooks(story: Story): Promise<void> {
  const { account, ledger, strategies } = story;
  const orders = await story.orders();
  const owners = [null, ...strategies.map(({ id }) => id)];
  const key = (outcome: OutcomeSide, strategyId: (typeof owners)[number]) => ({
    account,
    paper: true,
    venue: NO_VENUE,
    marketId: MARKET,
    outcome,
    strategyId,
  });
  const positions = OUTCOME_SIDES.flatMap((outcome) => owners.map((owner) => key(outcome, owner)));
  const scope = { account, strategies: strategies.map(({ id }) => id), positions };
  const seen = await look(ledger, scope, (now) => ({
    balance: now.balance(PAPER_CASH),
    positions: positions.map((position) => now.position(position)),
    exposures: strategies.map(({ id }) => now.exposure(id, true)),
  }));

  expect(seen.balance?.cash ?? OPENING).toBe(OPENING + sum(orders.map(flow)));
  expect(seen.balance?.reserved ?? 0n).toBe(sum(orders.map((order) => kept(order, 'BUY'))));
  for (const position of seen.positions) {
    if (position === undefined) continue;
    if (position.shares === 0n) expect(position.cost).toBe(0n);
    if (position.strategyId !== null) continue;
    const own = orders.filter(({ intent }) => intent.outcome === position.outcome);
    const [bought, sold] = ['BUY', 'SELL'].map((side) => sum(own.filter((o) => o.intent.side === side).map(sharesIn)));
    expect(position.shares).toBe((bought ?? 0n) - (sold ?? 0n));
    expect(position.reserved).toBe(sum(own.map((order) => kept(order, 'SELL'))));
  }
  for (const [i, strategy] of strategies.entries()) {
    const costs = seen.positions.flatMap((p) => (p?.strategyId === strategy.id ? [paidFor(p)] : []));
    const own = orders.filter(({ intent }) => intent.strategy?.id === strategy.id);
    checkExposure(strategy, seen.exposures[i], own, sum(costs), story.putBack.get(strategy.id) ?? 0n);
  }
  for (const order of orders) checkRow(order, account);
  const whole = seen.positions.filter((position) => position?.strategyId === null).filter((held) => held !== undefined);
  await checkJournal(story, seen.balance?.cash ?? 0n, whole);
}

/** Every entry balances, and what is booked on each account of the journal is what the balance and the positions say. */
async function checkJournal({ account, ledger }: Story, cash: bigint, whole: readonly Position[]): Promise<void> {
  const entries = await ledger.listEntries(account, true, { limit: 1000 });
  for (const { lines } of entries) expect(sum(lines.map(({ amount }) => amount))).toBe(0n);
  const lines = entries.flatMap((entry) => entry.lines);
  const booked = (name: JournalAccount, token?: OutcomeSide) =>
    sum(lines.filter((line) => line.ledger === name && line.held?.outcome === token).map(({ amount }) => amount));
  expect(booked('cash')).toBe(cash);
  expect(booked('fees')).toBe(sum(whole.map(({ fees }) => fees)));
  expect(booked('realised')).toBe(-sum(whole.map(({ realised }) => realised)));
  for (const { outcome, cost } of whole) expect(booked('position', outcome)).toBe(cost);
}

/**
 * What exported movements earned is what positions realised, less fees, but for those of what is held. Trades whose money rounds to
 * nothing have no movement, so that the fees of what is held after them may differ by such a sum.
 */
export async function checkExportedProfit(story: Story): Promise<void> {
  if ((await story.orders()).some(leftNoEntry)) return;
  const { account, trader, ledger } = story;
  const profits: bigint[] = [];
  for await (const moves of trader.use.accounts.export.journal(account, {}))
    profits.push(...moves.map(({ profit }) => profit));
  const whole = await ledger.listPositions(account, { paper: true, strategyId: null }, { limit: 100 });
  expect(sum(profits)).toBe(sum(whole.map(({ realised, fees, heldFees = 0n }) => realised - fees + heldFees)));
}

const leftNoEntry = (order: Order): boolean =>
  order.fills.some((fill, place) => leavesNoEntry(order, { cause: 'fill', place, fill }));

/** A cap holds; only fees that nobody announced, and sales that the venue undid, can come on top of it. */
function checkExposure(
  strategy: Strategy,
  seen: Exposure | undefined,
  own: readonly Order[],
  cost: bigint,
  undone: bigint,
): void {
  const committed = seen?.committed ?? 0n;
  const fees = sum(own.filter((o) => o.intent.side === 'BUY').flatMap((o) => counted(o).map(({ fee }) => fee)));
  expect(committed).toBe(cost + sum(own.map((order) => kept(order, 'BUY'))));
  expect(committed).toBeLessThanOrEqual(strategy.bankrollCap + fees + undone);
}

function checkRow(order: Order, account: AccountId): void {
  const { filled, intent, state, refusal, venueOrderId } = order;
  expect(order.account).toBe(account);
  expect(filled.shares).toBe(sharesIn(order));
  expect(filled.confirmed).toBe(sum(counted(order).flatMap((f) => (f.settlement === 'confirmed' ? [f.shares] : []))));
  expect(filled.confirmed <= filled.shares && filled.shares <= intent.shares).toBe(true);
  expect(intent.side === 'SELL' || filled.notional <= intent.size).toBe(true);
  expect(refusal !== null).toBe(EXPLAINED.has(state));
  expect(venueOrderId !== null || filled.shares === 0n).toBe(true);
  expect(state === 'filled').toBe(filled.shares === intent.shares && intent.shares > 0n);
}

/** Compares an order's row with its history: rebuilt by it, numbered without gaps, chained, and never going back. */
export function checkHistory(order: Order, events: readonly OrderEvent[]): void {
  expect(replay(events)).toEqual(order);
  let row: Order | undefined;
  let hash = '';
  for (const [i, event] of events.entries()) {
    const next = applyEvent(row, event);
    expect(event.seq).toBe(i + 1);
    expect(event.hash).toBe(sha256(chainText(hash, event)));
    const undone = event.change.type === 'fill_voided';
    expect(next.filled.confirmed).toBeGreaterThanOrEqual(row?.filled.confirmed ?? 0n);
    if (!undone) expect(next.filled.shares).toBeGreaterThanOrEqual(row?.filled.shares ?? 0n);
    if (row?.venueOrderId) expect(next.venueOrderId).toBe(row.venueOrderId);
    expect(next.placedAt).toEqual(row?.placedAt ?? next.placedAt);
    row = next;
    hash = event.hash;
  }
}

/** An audit of the whole ledger examines every account on record, and finds nothing. */
export async function checkAudit(ledger: Ledger, accounts: number): Promise<void> {
  let audited = 0;
  const context = { digest: sha256, venues: { isLocal: () => true } };
  for await (const { findings, busy } of new AuditBooks(ledger, context).execute()) {
    expect(findings).toEqual([]);
    expect(busy).toBe(false);
    audited += 1;
  }
  expect(audited).toBeLessThanOrEqual(accounts);
  expect(audited).toBeGreaterThan(0);
}
