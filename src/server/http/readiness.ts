import type { MarketDataState } from '../../core/market/market.js';
import type { StorageHealth } from '../background/storage-health.js';

/** Why it is not ready at first. */
export const RECOVERING = 'recovering orders';

/** What prevents a server from being ready. */
export interface Readiness {
  readonly busy: ReadonlySet<string>;
  /** Evaluated on each request; null while there is no doubt. */
  readonly doubts: (() => string | null)[];
  /** Part of the answer of `/readyz`. */
  readonly state: Record<string, () => string>;
  readonly storage: StorageHealth;
  /** What market data does now. */
  readonly source: { readonly state: () => MarketDataState };
  /** Called once a request for orders, strategies, a stream of markets or a page was answered. */
  readonly asked?: () => void;
}

/** What is known without asking the store. */
export function reasonsOf({ busy, doubts }: Pick<Readiness, 'busy' | 'doubts'>): readonly string[] {
  return [...busy, ...doubts.map((ask) => ask())].filter((reason) => reason !== null);
}

/** All that `/readyz` complains of. */
export async function unready(health: Readiness): Promise<readonly string[]> {
  const complaint = await health.storage.complaint();
  return [...reasonsOf(health), ...(complaint === null ? [] : [complaint])];
}
