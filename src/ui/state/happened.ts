import type { WireLoggedEvent } from '../../adapters/http/answers.js';

/** Something that happened: one row for an order or a bet, however many events it has. */
export interface FoldedEvent {
  readonly key: string;
  /** The event whose sentence is shown. */
  readonly event: WireLoggedEvent;
  /** The path of what it is about, below `/ui/`; null where it has no page. */
  readonly to: readonly string[] | null;
  /** Whether its time is that of the machine, also where markets have the time of a tape. */
  readonly isOfMachine: boolean;
}

/** What happened by these events, newest first. An order is shown by its newest event of its own, not by the decision for it. */
export function happenings(events: readonly WireLoggedEvent[]): readonly FoldedEvent[] {
  const orderOf = new Map<string, string>();
  const rows = new Map<string, FoldedEvent>();
  for (const event of events) {
    const key = keyOf(event, orderOf);
    const known = rows.get(key);
    const isShown = known === undefined || (event.data.order !== undefined && known.event.data.order === undefined);
    if (isShown) rows.set(key, { key, event, to: pathOf(event, orderOf), isOfMachine: !isOfMarket(event) });
  }
  return [...rows.values()];
}

/** A bet is named by its order once it has one; an approval that led to one is met after it, since events are newest first. */
function keyOf({ seq, data }: WireLoggedEvent, orderOf: Map<string, string>): string {
  const { order, decision, approval } = data;
  if (order !== undefined) return order.id;
  if (approval !== undefined) {
    if (approval.order_id !== null) orderOf.set(approval.id, approval.order_id);
    return orderOf.get(approval.id) ?? approval.id;
  }
  if (decision === undefined) return seq;
  if (decision.approval_id !== null && decision.order_id !== null) orderOf.set(decision.approval_id, decision.order_id);
  return decision.order_id ?? decision.id;
}

function pathOf({ data }: WireLoggedEvent, orderOf: ReadonlyMap<string, string>): readonly string[] | null {
  const { order, decision, approval, strategy } = data;
  const id = order?.id ?? decision?.order_id ?? (approval === undefined ? undefined : orderOf.get(approval.id));
  if (id !== undefined && id !== null) return ['orders', id];
  if (approval !== undefined) return ['approvals', approval.id];
  const strategyId = strategy?.id ?? decision?.strategy_id;
  return strategyId === undefined ? null : ['strategies', strategyId];
}

const isOfMarket = ({ data }: WireLoggedEvent): boolean =>
  data.order !== undefined || data.decision !== undefined || data.approval !== undefined;
