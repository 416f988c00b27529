import type { Digest } from '../../ports/system.js';
import { DomainError } from '../errors.js';
import { applyEvent } from '../order/apply.js';
import type { OrderEvent } from '../order/event.js';
import { chainText } from '../order/event.js';
import type { Order } from '../order/order.js';
import { compared, type Finding } from './books-audit.js';

/**
 * Compares an order's row with its history, event by event: the numbers have no gaps, each hash covers the event and all
 * before it, and the replay equals the row. Events that came after the row was read are passed over.
 */
export class HistoryAudit {
  /** Whether it was sent over a network: an exchange in this process takes orders without that. */
  wasSent = false;
  #replayed: Order | undefined;
  #seq = 0;
  #hash = '';
  #fault: Finding | null = null;

  constructor(
    private readonly row: Order,
    private readonly digest: Digest,
  ) {}

  /** Takes the next event, in the order of their numbers. */
  add(event: OrderEvent): void {
    const { seq, hash } = event;
    if (seq > this.row.seq) return;
    if (event.change.type === 'submitting') this.wasSent = true;
    if (this.#fault !== null) return;
    if (seq !== this.#seq + 1) this.#fail(`event ${this.#seq + 1} is missing`);
    else if (hash !== this.digest(chainText(this.#hash, event))) this.#fail(`event ${seq} does not match its hash`);
    else this.#apply(event);
  }

  /** Everything that is wrong, once all events were added; of a broken history, only the first fault. */
  findings(): readonly Finding[] {
    const { row } = this;
    if (this.#fault === null && this.#seq < row.seq) this.#fail(`event ${this.#seq + 1} is missing`);
    if (this.#fault !== null || this.#replayed === undefined) return this.#fault === null ? [] : [this.#fault];
    const [stored, replayed] = [leavesOf(row), leavesOf(this.#replayed)];
    const names = [...new Set([...stored.keys(), ...replayed.keys()])];
    return names.flatMap((name) => unlike(row, name, stored.get(name) ?? null, replayed.get(name) ?? null));
  }

  #apply(event: OrderEvent): void {
    try {
      this.#replayed = applyEvent(this.#replayed, event);
      this.#seq = event.seq;
      this.#hash = event.hash;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#fail(`event ${event.seq} cannot have happened: ${error.message}`);
    }
  }

  #fail(words: string): void {
    const { id } = this.row;
    this.#fault = { check: 'events', about: id, found: null, expected: null, message: `Order ${id}: ${words}.` };
  }
}

type Leaf = string | number | bigint | boolean | null;

/** Every member that is not made of others, by its path, such as `fills.0.fee`. */
function leavesOf(value: unknown, path = ''): Map<string, Leaf> {
  if (value === undefined) return new Map();
  if (value instanceof Date) return new Map([[path, value.toISOString()]]);
  if (value === null || typeof value !== 'object') return new Map([[path, value as Leaf]]);
  const members = Object.entries(value).map(([name, member]) =>
    leavesOf(member, path === '' ? name : `${path}.${name}`),
  );
  return new Map(members.flatMap((leaves) => [...leaves]));
}

function unlike({ id }: Order, name: string, stored: Leaf, replayed: Leaf): readonly Finding[] {
  if (stored === replayed) return [];
  const what = `Order ${id}, ${name}`;
  if (typeof stored === 'bigint' && typeof replayed === 'bigint')
    return compared('order', id, what, stored, replayed, 'by its events');
  const message = `${what}: on record ${stored ?? 'nothing'}, by its events ${replayed ?? 'nothing'}.`;
  return [{ check: 'order', about: id, found: null, expected: null, message }];
}
