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
  readonly status?: MarketStatus;
}

/** True when the market matches the whole query. Letters compare without case. */
export function answers(market: Market, { text, sport, league, kind, status }: MarketQuery): boolean {
  return (
    same(sport, market.sport) &&
    same(league, market.league) &&
    (kind === undefined || market.kind === kind) &&
    (status === undefined || market.status === status) &&
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
