import { LIMIT_NAMES, LIMITS, type LimitName, type Limits, type LimitsChange } from '../core/limits/limits.js';
import { isPrice } from '../core/money.js';
import type { UseCases } from '../core/usecases/compose.js';
import type { LossWatch } from '../core/usecases/limits/background/watch-losses.js';
import type { LimitsInUse } from '../core/usecases/limits/read-limits.js';
import { accountId, type Decimal, micro, onlyMembers, refuse, shownBriefly } from './input.js';

/** Limits as a program sets them: those that are absent stay, null takes one away. */
export type LimitsRequest = { readonly [Name in LimitName]?: Decimal | null };

/** What accounts may risk. A limit holds for every order from then on, whichever client places it. */
export interface AccountLimits {
  /**
   * The limits of the account, and how much of each is in use on paper, or with real money.
   *
   * @example
   * ```ts
   * const { limits, used } = await stakeport.limits.get('me');
   * ```
   */
  get(account: string, request?: { readonly paper?: boolean }): Promise<LimitsInUse>;
  /**
   * @throws InputInvalid, AccountBusy
   *
   * @example
   * ```ts
   * await stakeport.limits.set('me', { eventLossUsdc: 50, ordersPerMinute: 60 });
   * ```
   */
  set(account: string, limits: LimitsRequest): Promise<Limits>;
  /**
   * Measures every account whose losses are limited, halts those that have lost what they may, and cancels their working
   * orders. Each order measures its own account anyway; call this once a second to notice a loss, and to cancel, in between.
   *
   * @example
   * ```ts
   * const { halted, unmarked } = await stakeport.limits.watch();
   * ```
   */
  watch(): Promise<LossWatch>;
}

const AMOUNTS = {
  usdc: [(amount: bigint) => amount >= 0n, '0 or more, or null'],
  price: [isPrice, 'above 0 and below 1, or null'],
} as const;

/** The methods that act upon limits. */
export function limitsOf({ limits: { read, change, watch } }: UseCases): AccountLimits {
  return {
    async get(account, request = {}) {
      onlyMembers(request, ['paper']);
      return read.execute(accountId(account), request.paper ?? true);
    },
    async set(account, limits) {
      onlyMembers(limits, LIMIT_NAMES);
      const named = LIMIT_NAMES.flatMap((name) => {
        const value = limits[name];
        return value === undefined ? [] : [[name, value === null ? null : readLimit(name, value)] as const];
      });
      const wanted: LimitsChange = Object.fromEntries(named);
      return change.execute({ account: accountId(account), change: wanted, mayLoosen: true });
    },
    watch: () => watch.execute(),
  };
}

function readLimit(name: LimitName, value: Decimal): bigint | number {
  const { kind } = LIMITS[name];
  if (kind !== 'count') return micro(name, value, AMOUNTS[kind]);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw refuse(name, `must be a whole number of 0 or more, or null; got ${shownBriefly(value)}`);
}
