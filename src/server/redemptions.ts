import { Command } from 'commander';
import { PolymarketRedemption } from '../adapters/polymarket/redemption.js';
import type { Position } from '../core/account/position.js';
import { DomainError } from '../core/errors.js';
import type { MarketId } from '../core/ids.js';
import { type RedeemableCursor, whole } from '../core/ledger/query.js';
import { type Market, unlistedMarket } from '../core/market/market.js';
import { formatMicro } from '../core/money.js';
import type { MarketData } from '../ports/market-data.js';
import type { Redemption } from '../ports/redemption.js';
import { ALONE } from './alone.js';
import { openMarketSource } from './market-source.js';
import { configOrExit } from './run.js';
import { openStandingStore, silenceIn, wordsOf } from './standing-store.js';

/** `stakeport redeemable`: what results paid with real money, and how a person makes cash of it. Changes nothing. */
export function redeemCommand(): Command {
  return new Command('redeemable')
    .description('list what results paid with real money, and how to redeem it; needs DATABASE_URL')
    .option('--json', 'one JSON document on standard output')
    .action(redeemable);
}

async function redeemable({ json = false }: { readonly json?: boolean }): Promise<void> {
  const { database, marketData } = configOrExit(ALONE);
  if (database.kind === 'memory' || database.url === 'sqlite::memory:')
    return fail('What may be redeemed is kept in a database that lasts: set DATABASE_URL.');
  const redemption = new PolymarketRedemption(null, async () => null);
  try {
    const ledger = await openStandingStore(database.url);
    const read = whole<Position, RedeemableCursor>(
      (page) => ledger.listRedeemable(page),
      (position) => position,
    );
    const positions = await read.finally(() => ledger.close());
    const source = await openMarketSource(marketData.kind === 'polymarket' ? marketData : { kind: 'none' }, () => {});
    const markets = await marketsOf(positions, source.data).finally(() => source.close());
    process.stdout.write(
      `${json ? wireOf(positions, markets, redemption) : inWords(positions, markets, redemption)}\n`,
    );
  } catch (error) {
    fail(wordsOf(silenceIn(error)));
  }
}

type Markets = ReadonlyMap<MarketId, Market>;

/** Without metadata, a market is known by its condition id alone. */
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
      ...own.map(({ account, token, redeemable: paid }) => `  ${account} ${token}: ${formatMicro(paid)} USDC`),
      ...redemption.instructions(market).map((sentence) => `  ${sentence}`),
    ];
  });
  return lines.join('\n');
}

function wireOf(positions: readonly Position[], markets: Markets, redemption: Redemption): string {
  const rows = positions.map(({ account, marketId, token, redeemable: paid }) => ({
    ...{ account, market_id: marketId, token, redeemable_usdc: formatMicro(paid) },
    instructions: redemption.instructions(markets.get(marketId) ?? unlistedMarket(marketId)),
  }));
  return JSON.stringify(rows);
}

function fail(words: string): void {
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}
