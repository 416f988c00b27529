import { expect } from 'vitest';
import type { Limits } from '../../../../src/core/limits/limits.js';
import type { Order } from '../../../../src/core/order/order.js';
import { apart, type Exact, exact, isAbove, ZERO } from './limits-oracle.js';

/** What losses are measured by: the day, what trading brought, what may be lost, and by how much sales have rounded. */
export interface Measured {
  readonly day: number;
  readonly gain: Exact;
  readonly limits: Readonly<Record<'dailyLossUsdc' | 'drawdownUsdc', bigint>>;
  readonly rounding: bigint;
}

/** What an account lost since a day was first measured, of the last three days that were, and since its peak. */
class LossMarks {
  #starts: readonly { readonly day: number; readonly start: Exact }[] = [];
  #peak: Exact | null = null;

  /** The gain was measured on a day. */
  measure(day: number, gain: Exact): void {
    if (!this.#starts.some((one) => one.day === day)) this.#starts = [...this.#starts, { day, start: gain }].slice(-3);
    if (this.#peak === null || isAbove(gain, this.#peak)) this.#peak = gain;
  }

  /** What a gain on a day is below the start of that day, and below the peak. */
  lost(day: number, gain: Exact): { readonly daily_loss: Exact; readonly drawdown: Exact } {
    const start = this.#starts.find((one) => one.day === day)?.start ?? gain;
    const below = (from: Exact) => (isAbove(from, gain) ? apart(from, gain) : ZERO);
    return { daily_loss: below(start), drawdown: below(this.#peak ?? gain) };
  }
}

/** Which of the limits on its losses the account is told to have reached by a refusal; null for none. */
function lossIn({ refusal }: Order): 'daily_loss' | 'drawdown' | null {
  if (refusal?.code === 'drawdown_exceeded') return 'drawdown';
  return refusal?.message.startsWith('The account has lost today') === true ? 'daily_loss' : null;
}

/** What an account loses of what it may, and whether that stops it. */
export class AccountLosses {
  #marks = new LossMarks();
  /** Whether all its trading is stopped. */
  isHalted = false;

  constructor(private readonly now: () => Measured) {}

  /** Losses count from now. */
  beginAnew(): void {
    this.#marks = new LossMarks();
  }

  /** The account is measured: it is halted once it lost what it may, and not before. */
  measured(isHalted: boolean): void {
    this.measure();
    if (!isHalted) this.areLess();
    else if (!this.isHalted) expect(this.#lost().some(({ is, cap }) => this.#reaches(is, cap))).toBe(true);
    this.isHalted = isHalted;
  }

  measure(): void {
    const { day, gain } = this.now();
    this.#marks.measure(day, gain);
  }

  /** It lost less than it may. */
  areLess(): void {
    const { rounding } = this.now();
    for (const { name, is, cap } of this.#lost())
      expect({ name, isLess: isAbove(exact(cap + rounding), is) }).toEqual({ name, isLess: true });
  }

  /** An order that is refused for what the account lost was refused for nothing less, and halts it. Returns whether this one was. */
  denied(order: Order): boolean {
    const reached = lossIn(order);
    if (reached === null) return false;
    const { is, cap } = this.#lost().find(({ name }) => name === reached) ?? { is: ZERO, cap: 0n };
    expect({ reached, isReached: this.#reaches(is, cap) }).toEqual({ reached, isReached: true });
    this.isHalted = true;
    return true;
  }

  /** What is shown is what it lost. */
  agree({ dailyLossUsdc, drawdownUsdc }: Pick<Limits, 'dailyLossUsdc' | 'drawdownUsdc'>): void {
    const shown = { daily_loss: dailyLossUsdc, drawdown: drawdownUsdc };
    const { rounding } = this.now();
    for (const { name, is } of this.#lost())
      expect({ name, isOff: isAbove(apart(exact(shown[name] ?? -1n), is), exact(rounding)) }).toEqual({
        name,
        isOff: false,
      });
  }

  #lost() {
    const { day, gain, limits } = this.now();
    const { daily_loss, drawdown } = this.#marks.lost(day, gain);
    return [
      { name: 'daily_loss', is: daily_loss, cap: limits.dailyLossUsdc },
      { name: 'drawdown', is: drawdown, cap: limits.drawdownUsdc },
    ] as const;
  }

  #reaches = (is: Exact, cap: bigint): boolean => !isAbove(exact(cap - this.now().rounding), is);
}
