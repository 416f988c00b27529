import type { Ledger } from '../../../ports/ledger.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import { checkUnrestrained, type Restraint } from '../../access/session-restraint.js';
import { type Balance, cashOf } from '../../account/account.js';
import { AccountBusy } from '../../account/account-errors.js';
import type { AccountId, OrderId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { slices } from '../../ledger/query.js';
import { dayIn, KEPT_DAYS, keptAfter } from '../../limits/counted.js';
import { type Limits, type LimitsChange, limitsLosses, loosened, NO_LIMITS, sameLimits } from '../../limits/limits.js';
import type { RiskGroup } from '../../limits/risk.js';
import { marketName } from '../../market/market.js';
import { NO_USDC, plus, type Usdc } from '../../money.js';
import type { OrderStatus } from '../../order/lifecycle.js';
import type { Order } from '../../order/order.js';
import { type BeforeCounting, beginCounting } from '../../posting/counting.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import { LooseningForbidden } from '../../trading/trading-refusals.js';
import type { MeasureLosses } from './mark-equity.js';
import { marketGroup } from './read-limits.js';

/** Which limits to change, for whom. */
export interface ChangeLimitsCommand {
  readonly account: AccountId;
  /** A limit that is absent stays; null takes one away. */
  readonly change: LimitsChange;
  /** Whether the credential may raise a limit, or take one away. */
  readonly mayLoosen: boolean;
  /** What keeps the credential from it all the same. */
  readonly restraint?: Restraint | undefined;
}

/** The public statuses of orders that may still trade. */
const WORKING: readonly OrderStatus[] = ['pending', 'unknown', 'delayed', 'open', 'partially_filled'];

/** An account whose orders never rest is tried so often. */
const ATTEMPTS = 20;

/**
 * Changes what an account may risk. Counting begins with the first limit that is ever set, from what the account holds and
 * has working at that moment; from then on it goes on, whatever the limits are.
 */
export class ChangeLimits {
  constructor(
    private readonly ledger: Ledger,
    private readonly markets: Pick<MarketDirectory, 'find'>,
    private readonly measure: Pick<MeasureLosses, 'execute'>,
    private readonly context: Pick<OrderContext, 'clock' | 'dayOf'>,
  ) {}

  /** The limits afterwards. Losses are measured from here on where they are limited now. @throws LooseningForbidden, SessionRestrained, AccountBusy */
  async execute(command: ChangeLimitsCommand): Promise<Limits> {
    const limits = await this.#change(command);
    const { account } = command;
    if (limitsLosses(limits)) for (const paper of [true, false]) await this.measure.execute({ account, paper });
    return limits;
  }

  async #change(command: ChangeLimitsCommand): Promise<Limits> {
    const { account } = command;
    const before = await this.ledger.read({ account }, (now) => now.account.limits);
    if (before !== undefined) return this.ledger.write({ account }, (now) => changed(now, command));
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const limits = await this.#begin(command);
      if (limits !== null) return limits;
    }
    throw new AccountBusy('The account is trading so fast that counting could not begin. Repeat the request.');
  }

  async #begin(command: ChangeLimitsCommand): Promise<Limits | null> {
    const { account } = command;
    const balances = await this.ledger.read({ account }, (now) => [...now.balances(true), ...now.balances(false)]);
    const working = await this.#working(account);
    const before = await this.#before(account, balances, working);
    const orders = working.map(({ id }) => id);
    return this.ledger.write({ account, holdings: 'both', orders }, (now): Decision<Limits | null> => {
      if (now.account.limits !== undefined) return changed(now, command);
      const own = orders.map((id) => now.order(id)).filter((order) => order !== undefined);
      const counting = beginCounting(now, own, before);
      return counting === null ? { result: null } : { ...changed(now, command), ...counting };
    });
  }

  async #working(account: AccountId): Promise<readonly Order[]> {
    const all = new Map<OrderId, Order>();
    for (const status of WORKING) {
      for await (const found of slices((page) => this.ledger.listOrders(account, { status }, page), byId))
        for (const order of found) all.set(order.id, order);
    }
    return [...all.values()];
  }

  async #before(account: AccountId, balances: readonly Balance[], working: readonly Order[]): Promise<BeforeCounting> {
    const held = await this.ledger.read({ account, holdings: 'both' }, (now) =>
      [...now.positions(true), ...now.positions(false)].filter(({ shares }) => shares > 0n),
    );
    const refs = new Map([...held, ...working.map(({ intent }) => intent)].map((ref) => [marketName(ref), ref]));
    const groups = new Map<string, RiskGroup>();
    for (const [name, ref] of refs) {
      const group = await marketGroup(this.markets, ref, account);
      if (group !== null) groups.set(name, group);
    }
    const dayOf = ({ intent, placedAt }: Order) => intent.day ?? dayIn(this.context, placedAt);
    const today = dayIn(this.context, this.context.clock.now());
    const bought = [...working, ...(await this.#placedOn(account, today, dayOf))];
    const purchases = [...new Map(bought.map((order) => [order.id, order])).values()];
    const spent = ({ paper, venue }: Balance) => {
      const days = new Map<string, Usdc>();
      for (const order of purchases) {
        const { intent, filled } = order;
        if (intent.side === 'SELL' || intent.paper !== paper || cashOf(intent).venue !== venue) continue;
        const day = dayOf(order);
        days.set(day, plus(days.get(day) ?? NO_USDC, plus(filled.notional, filled.fees)));
      }
      return withLast(days, today);
    };
    return { account, balances, groups, spent, dayOf };
  }

  /** Orders of a clock that was ahead are the newest: those of today are behind them. */
  async #placedOn(account: AccountId, today: string, dayOf: (order: Order) => string): Promise<readonly Order[]> {
    const all: Order[] = [];
    for await (const found of slices((page) => this.ledger.listOrders(account, {}, page), byId)) {
      all.push(...found.filter((order) => dayOf(order) === today));
      if (found.every((order) => dayOf(order) < today)) break;
    }
    return all;
  }
}

function withLast(days: ReadonlyMap<string, Usdc>, today: string): ReadonlyMap<string, Usdc> {
  const before = [...days].filter(([day, spent]) => day !== today && spent > 0n);
  return new Map([...before.slice(1 - KEPT_DAYS), [today, days.get(today) ?? NO_USDC]]);
}

const byId = ({ id }: Order): OrderId => id;

function changed({ account }: Snapshot, { change, mayLoosen, restraint }: ChangeLimitsCommand): Decision<Limits> {
  const before = account.limits ?? NO_LIMITS;
  const limits = { ...before, ...change };
  const looser = loosened(before, limits);
  if (looser.length > 0 && !mayLoosen) throw new LooseningForbidden(looser);
  if (looser.length > 0) checkUnrestrained(restraint);
  const isSame = account.limits !== undefined && sameLimits(before, limits);
  const losses = keptAfter(account.losses, before, limits);
  return { result: limits, accounts: isSame ? [] : [{ ...account, limits, losses }] };
}
