import type { Ledger } from '../../../../ports/ledger.js';
import type { AccountId, StrategyId } from '../../../ids.js';
import type { EventData, EventType, LoggedEvent } from '../../../ledger/event-log.js';
import { EventsGone } from '../../../ledger/event-log.js';
import type { News } from '../../../message/interest.js';
import { isOfInterest, NEWS_TYPES } from '../../../message/interest.js';
import type { ReadEvents } from '../../accounts/read-events.js';

/** A part of a log, reduced to what a person is notified of. */
export interface NewsPage {
  readonly news: readonly News[];
  /** Up to where the log was read. */
  readonly next: number;
  readonly isLast: boolean;
  /** The log has the events after this one only; null where none are missing. */
  readonly goneTo: number | null;
}

const PAGE = 100;
const STRATEGY_SCOPE = 'strategy:';

/** Reads what a person is to be notified of. */
export class ReadNews {
  constructor(
    private readonly ledger: Pick<Ledger, 'log' | 'findStrategy'>,
    private readonly events: ReadEvents,
  ) {}

  /** What follows `after`; `types` are those that the person chose, empty for the default selection. */
  async after(account: AccountId, types: readonly EventType[], after: number): Promise<NewsPage> {
    const wanted = types.length === 0 ? NEWS_TYPES : types;
    const read = (from: number) => this.events.page(account, wanted, { limit: PAGE, after: from });
    let goneTo: number | null = null;
    const page = await read(after).catch((error: unknown) => {
      if (!(error instanceof EventsGone)) throw error;
      goneTo = Math.min(error.first - 1, error.last);
      return read(goneTo);
    });
    const names = await this.#names(account, page.items);
    const news = page.items.map((event) => ({ ...event, strategy: names(event.data) }));
    const isLast = page.next >= page.head;
    return { news: news.filter((one) => isOfInterest(one, types)), next: page.next, isLast, goneTo };
  }

  /** The names of strategies as they were then. */
  async #names(account: AccountId, events: readonly LoggedEvent[]): Promise<(data: EventData) => string | null> {
    const wanted = new Map(
      events.flatMap(({ data }) => {
        const named = strategyOf(data);
        return named === null ? [] : [[nameOf(named), named] as const];
      }),
    );
    const found = wanted.size === 0 ? [] : await this.ledger.log.versions(account, [...wanted.values()]);
    const names = new Map(found.map((one) => [nameOf(one), `${one.name} v${one.version}`]));
    const scoped = await this.#scoped(account, events);
    return (data) => {
      if (data.kind === 'trading') return scoped.get(data.state.scope) ?? null;
      const named = strategyOf(data);
      return named === null ? null : (names.get(nameOf(named)) ?? null);
    };
  }

  /** The names of strategies whose trading was stopped, as they are now. */
  async #scoped(account: AccountId, events: readonly LoggedEvent[]): Promise<ReadonlyMap<string, string>> {
    const scopes = events.flatMap(({ data }) => (data.kind === 'trading' ? [data.state.scope] : []));
    const found = new Map<string, string>();
    for (const scope of new Set(scopes.filter((one) => one.startsWith(STRATEGY_SCOPE)))) {
      const strategy = await this.ledger.findStrategy(account, scope.slice(STRATEGY_SCOPE.length) as StrategyId);
      if (strategy !== undefined) found.set(scope, strategy.name);
    }
    return found;
  }
}

interface Named {
  readonly id: StrategyId;
  readonly version: number;
}

const nameOf = ({ id, version }: Named): string => `${id} ${version}`;

function strategyOf(data: EventData): Named | null {
  switch (data.kind) {
    case 'order':
      return data.order.intent.strategy;
    case 'strategy':
      return data.strategy;
    case 'approval':
      return { id: data.approval.decision.strategyId, version: data.approval.decision.strategyVersion };
    case 'decision':
      return { id: data.decision.strategyId, version: data.decision.strategyVersion };
    default:
      return null;
  }
}
