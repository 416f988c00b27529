import { NO_USDC, plus, type Usdc } from '../money.js';
import type { RiskGroup } from './risk.js';

/** The most that can be lost, by the names of markets, events, leagues and sports, and in all of them together. */
export interface Losses {
  readonly markets: ReadonlyMap<string, Usdc>;
  readonly events: ReadonlyMap<string, Usdc>;
  readonly leagues: ReadonlyMap<string, Usdc>;
  readonly sports: ReadonlyMap<string, Usdc>;
  readonly exposure: Usdc;
}

/** What an order is about, as the maps of `Losses` name it. */
export type LossNames = Readonly<Record<'market' | 'event' | 'league' | 'sport', string>>;

/** The name of the set to which a market belongs: its own where it excludes no other. */
export function setName(market: string, { exclusiveSet }: Pick<RiskGroup, 'exclusiveSet'>): string {
  return exclusiveSet === null ? market : `${venueOf(market)} ${exclusiveSet}`;
}

/** The names under which the losses of a market are summed. */
export function lossNames(market: string, group: RiskGroup): LossNames {
  const { event, league, sport } = group;
  return {
    market,
    event: event === null ? setName(market, group) : `${venueOf(market)} ${event}`,
    league: `${sport ?? ''}/${league ?? ''}`,
    sport: sport ?? '',
  };
}

const venueOf = (market: string): string => market.slice(0, market.indexOf('/'));

/** Losses that change one by one. */
export class ChangingLosses implements Losses {
  readonly markets = new Map<string, Usdc>();
  readonly events = new Map<string, Usdc>();
  readonly leagues = new Map<string, Usdc>();
  readonly sports = new Map<string, Usdc>();
  #exposure = NO_USDC;

  get exposure(): Usdc {
    return this.#exposure;
  }

  /** More, or, negative, less may be lost in a set of markets. */
  add({ event, league, sport }: LossNames, amount: Usdc): void {
    if (amount === 0n) return;
    addTo(this.events, event, amount);
    addTo(this.leagues, league, amount);
    addTo(this.sports, sport, amount);
    this.#exposure = plus(this.#exposure, amount);
  }
}

function addTo(sums: Map<string, Usdc>, name: string, amount: Usdc): void {
  const sum = plus(sums.get(name) ?? NO_USDC, amount);
  if (sum === 0n) sums.delete(name);
  else sums.set(name, sum);
}
