import type { Logger } from 'pino';
import type { Metrics } from '../../adapters/http/index.js';
import { LabelCounts } from '../../adapters/http/metrics.js';
import type { DecisionNews, OrderStep } from '../../core/ledger/event-log.js';
import type { DecisionRecord } from '../../core/strategy/record/decision-record.js';
import type { RecentSkips } from '../../core/strategy/record/recent-skips.js';
import type { DatabaseErrorKind, StoreWatch } from '../../ports/ledger.js';
import { lineOf } from '../http/log.js';
import type { OpenStore } from '../wiring/store.js';
import { distribution, labelledMetric, metric } from './own-metrics.js';

const ERROR_KINDS: readonly DatabaseErrorKind[] = ['conflict', 'refused', 'unavailable', 'broken'];

/** Counts what is put on record, and logs the orders that no line of a request reports. */
export class StoreMetrics implements StoreWatch {
  readonly #orders;
  readonly #refusals;
  readonly #decisions = new LabelCounts();
  readonly #errors;
  readonly #seconds;
  readonly #writes;
  #skips: Pick<RecentSkips, 'onRecord'> = { onRecord: new Map() };
  /** How many writes have ended. */
  writes = 0;

  constructor(
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.#orders = metrics.tally(...labelledMetric('stakeport_orders_total'));
    this.#refusals = metrics.tally(...labelledMetric('stakeport_order_refusals_total'));
    metrics.countBy(...labelledMetric('stakeport_decisions_total'), () => [
      ...this.#decisions,
      ...[...this.#skips.onRecord].map(([rule, count]) => [['skip', rule], count] as const),
    ]);
    this.#errors = metrics.tally(...labelledMetric('stakeport_database_errors_total'));
    for (const kind of ERROR_KINDS) this.#errors.add([kind], 0);
    this.#seconds = metrics.distribution(...distribution('stakeport_commit_duration_seconds'));
    this.#writes = metrics.distribution(...distribution('stakeport_commit_writes'));
  }

  /** Adds what the store itself counts. */
  follow({ collisions, waiting }: Pick<OpenStore, 'collisions' | 'waiting'>): void {
    this.metrics.count(...metric('stakeport_account_collisions_total'), collisions);
    this.metrics.watch(...metric('stakeport_writes_waiting'), waiting);
  }

  /** Counts skips from this source: they are stored as counts, apart from the writes of orders. */
  countSkips(skips: Pick<RecentSkips, 'onRecord'>): void {
    this.#skips = skips;
  }

  stored({ orders, decisions }: DecisionNews): void {
    for (const step of orders) {
      this.#count(step);
      // A request that places an order has it in its own line.
      if (!step.isNew || decisions.length > 0) this.#log(step);
    }
    for (const decision of decisions)
      this.#decisions.add([verdictOf(decision), decision.code ?? decision.boundBy ?? '']);
  }

  written(): void {
    this.writes += 1;
  }

  committed(writes: number, ms: number): void {
    this.#seconds(ms / 1000);
    this.#writes(writes);
  }

  failed(kind: DatabaseErrorKind): void {
    this.#errors.add([kind]);
  }

  #count({ order: { intent, refusal }, status, isNew }: OrderStep): void {
    const mode = intent.paper ? 'paper' : 'live';
    if (isNew && status !== 'pending') this.#orders.add(['pending', intent.venue, mode]);
    this.#orders.add([status, intent.venue, mode]);
    if (refusal !== null && REFUSED.has(status)) this.#refusals.add([refusal.code, status, mode]);
  }

  #log({ order, status }: OrderStep): void {
    if (!this.logger.isLevelEnabled('info')) return;
    const { id, account, intent, refusal, venueOrderId } = order;
    const { venue, paper } = intent;
    const line = lineOf({ id, status, code: refusal?.code ?? null, venueOrderId });
    this.logger.info({ account, ...line, venue, paper }, 'order');
  }
}

const REFUSED: ReadonlySet<string> = new Set(['denied', 'rejected', 'unknown', 'failed']);

/** A bet without a slot is the sale of one; one without an order may wait for a person. */
function verdictOf({ verdict, slot, orderId, approvalId }: DecisionRecord): string {
  if (verdict === 'skip') return verdict;
  if (orderId === null && approvalId !== null) return 'proposed';
  return slot === null ? 'exit' : 'bet';
}
