import { Command } from 'commander';
import type { Position } from '../core/account/position.js';
import { DomainError } from '../core/errors.js';
import type { MarketId } from '../core/ids.js';
import { type RedeemableCursor, whole } from '../core/ledger/query.js';
import { type Market, unlistedMarket } from '../core/market/market.js';
import { formatMicro } from '../core/money.js';
import type { Ledger } from '../ports/ledger.js';
import type { MarketData } from '../ports/market-data.js';
import type { Redemption } from '../ports/redemption.js';
import { configuredAlone } from '../server/settings/configured.js';
import { MARKET_DATA_VARIABLES } from '../server/settings/settings.js';
import { VENUE_ADAPTERS } from '../server/venues.js';
import { openMarketSource } from '../server/wiring/market-source.js';
import { JSON_OPTION } from './command-options.js';
import { print, printJson } from './print.js';
import { withLedger } from './with-ledger.js';

/** `stakeport redeemable`: what results paid in real money, and how a person redeems it for cash. Changes nothing. */
export function redeemCommand(): Command {
  return new Command('redeemable')
    .description(
      'list what results paid in real money in the database of DATABASE_URL, and how a person redeems it; changes nothing',
    )
    .option(...JSON_OPTION)
    .action(redeemable);
}

async function redeemable({ json = false }: { readonly json?: boolean }): Promise<void> {
  const read = (ledger: Pick<Ledger, 'listRedeemable'>) =>
    whole<Position, RedeemableCursor>(
      (page) => ledger.listRedeemable(page),
      (position) => position,
    );
  const positions = await withLedger('read', read);
  const { marketData } = configuredAlone(...MARKET_DATA_VARIABLES);
  const source = await openMarketSource(marketData.kind === 'venue' ? marketData : { kind: 'none' }, () => {});
  const markets = await marketsOf(positions, source.data).finally(() => source.close());
  const [{ redemption }] = VENUE_ADAPTERS;
  if (json) printJson(rowsOf(positions, markets, redemption));
  else print(inWords(positions, markets, redemption));
}

type Markets = ReadonlyMap<MarketId, Market>;

/** Without metadata, a market has only its condition id. */
async function marketsOf(positions: readonly Position[], source: Pick<MarketData, 'find'>): Promise<Markets> {
  const markets = new Map<MarketId, Market>();
  for (const { marketId } of positions) {
    if (markets.has(marketId)) continue;
    const found = await source.find(marketId).catch((error: unknown) => {
      if (error instanceof DomainError) return undefined;
      throw error;
    });
    markets.set(marketId, found ?? unlistedMarket(marketId));
  }
  return markets;
}

function inWords(positions: readonly Position[], markets: Markets, redemption: Redemption): string {
  if (positions.length === 0) return 'There is nothing to redeem.';
  const lines = [...markets].flatMap(([id, market]) => {
    const own = positions.filter(({ marketId }) => marketId === id);
    return [
      market.question ?? id,
      ...own.map(({ account, outcome, redeemable: paid }) => `  ${account} ${outcome}: ${formatMicro(paid)} USDC`),
      ...redemption.instructions(market).map((sentence) => `  ${sentence}`),
    ];
  });
  return lines.join('\n');
}

function rowsOf(positions: readonly Position[], markets: Markets, redemption: Redemption): readonly object[] {
  return positions.map(({ account, marketId, outcome, redeemable: redeemableUsdc }) => ({
    ...{ account, marketId, token: outcome, redeemableUsdc },
    instructions: redemption.instructions(markets.get(marketId) ?? unlistedMarket(marketId)),
  }));
}
