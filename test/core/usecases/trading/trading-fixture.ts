import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { AUTH_SCOPES, type AuthScope } from '../../../../src/core/access/principal.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { NO_VENUE, unlistedMarket } from '../../../../src/core/market/market.js';
import type { TradingChange } from '../../../../src/core/trading/state.js';
import { ManageAccounts } from '../../../../src/core/usecases/accounts/manage-accounts.js';
import type { Ledger } from '../../../../src/ports/ledger.js';
import type { MarketData } from '../../../../src/ports/market-data.js';
import { ALICE, anOrderContext, clockAt, type DraftChanges, NOON, usdc } from '../../../support/builders.js';
import { ScriptedExchange, SigningExchange, takes } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

/** Alice with 1000 dollars on paper and 100 of real money, who may do everything. */
export async function fixture({
  markets,
  ledger = new MemoryLedger(),
}: {
  markets?: MarketData;
  ledger?: Ledger;
} = {}) {
  const clock = clockAt(NOON);
  const live = new SigningExchange({ place: takes() });
  const paper = new ScriptedExchange();
  const context = anOrderContext({ clock });
  const trading = new Trading(ledger, { live, paper, context, ...(markets && { markets }) });
  const operator = new ManageAccounts(ledger, context);
  await operator.allowLive(ALICE, true);
  await operator.deposit(ALICE, NO_VENUE, usdc('100'));
  const { set, read } = trading.use.trading;
  const ask = (
    changes: Partial<TradingChange> & { cancel?: boolean; idempotencyKey?: string } = {},
    scopes: readonly AuthScope[] = AUTH_SCOPES,
    account = ALICE,
  ) => {
    const { cancel = false, idempotencyKey = null, ...others } = changes;
    const state = {
      scope: 'account',
      state: 'halted',
      stops: 'all',
      reason: 'Enough',
      by: 'key-1',
      until: null,
    } as const;
    const change = { ...state, ...others };
    return set.execute({ account, change, cancel, idempotencyKey, may: new Set(scopes) });
  };
  const sends = (draft: DraftChanges = {}) => trading.place({ paper: false, ...draft }, { mayTradeLive: true });
  /** Does this after the order is on record and before it is claimed. */
  const meanwhile = (happens: () => Promise<unknown>) => {
    live.whileSigning = happens;
  };
  return { clock, ledger, live, paper, trading, operator, ask, read, sends, meanwhile };
}

export type Fixture = Awaited<ReturnType<typeof fixture>>;

/** Markets that are all of one sport. */
export function marketsOf(sport: string): MarketData {
  const find = async (id: MarketId) => ({ ...unlistedMarket(id), sport });
  return Object.assign(new NoMarketData(), { find });
}
