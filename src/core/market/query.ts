import type { MarketKind } from './kind.js';
import type { MarketStatus } from './lifecycle.js';
import type { Market } from './market.js';

/** Which markets to look for; an absent member does not restrict. */
export interface MarketQuery {
  /** Words of the question, the event or the slug. */
  readonly text?: string;
  readonly sport?: string;
  readonly league?: string;
  readonly kind?: MarketKind | 'other';
  /** One status, or several of which a market has one. */
  readonly status?: MarketStatus | readonly MarketStatus[];
}

/** The statuses that a query names; null where it names none. */
export function statusesOf({ status }: MarketQuery): readonly MarketStatus[] | null {
  if (status === undefined) return null;
  return typeof status === 'string' ? [status] : status;
}

/** True when the market matches the whole query. Letters compare without case. */
export function answers(market: Market, query: MarketQuery): boolean {
  const { text, sport, league, kind } = query;
  const statuses = statusesOf(query);
  return (
    same(sport, market.sport) &&
    same(league, market.league) &&
    (kind === undefined || market.kind === kind) &&
    (statuses === null || statuses.some((status) => market.status === status)) &&
    (text === undefined || mentions(market, text))
  );
}

function same(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted.toLowerCase() === actual?.toLowerCase();
}

function mentions({ question, slug, event, outcomes }: Market, text: string): boolean {
  const labels = outcomes === null ? [] : outcomes.map(({ label }) => label);
  const said = [question, slug, event?.title, event?.slug, ...labels].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
