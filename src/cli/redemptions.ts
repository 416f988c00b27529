import { Command } from 'commander';
import type { Position } from '../core/account/position.js';
import { DomainError } from '../core/errors.js';
import { type RedeemableCursor, whole } from '../core/ledger/query.js';
import { type Market, marketName, unlistedMarket } from '../core/market/market.js';
import { formatMicro } from '../core/money.js';
import { marketsAt } from '../core/venues/venues.js';
import type { Ledger } from '../ports/ledger.js';
import type { MarketDirectory } from '../ports/venue.js';
import { configuredMarketData } from '../server/settings/configured.js';
import { adapterNamed } from '../server/venues.js';
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
  const markets = await marketsOf(positions);
  if (json) printJson(positions.map((position) => rowOf(position, markets)));
  else print(inWords(positions, markets));
}

/** Markets by the names of venue and market. */
type Markets = ReadonlyMap<string, Market>;

/** Each as its venue describes it, where MARKET_DATA is on. */
async function marketsOf(positions: readonly Position[]): Promise<Markets> {
  const venues = [...new Set(positions.map(({ venue }) => venue))];
  const configs = configuredMarketData(venues.filter((venue) => adapterNamed(venue) !== undefined));
  const sources = await Promise.all(configs.map((config) => openMarketSource(config, () => {})));
  try {
    return await described(positions, marketsAt(...sources.map(({ data }) => data)));
  } finally {
    for (const source of sources) await source.close();
  }
}

/** Without metadata, a market is known by its venue and id alone. */
async function described(positions: readonly Position[], source: Pick<MarketDirectory, 'find'>): Promise<Markets> {
  const markets = new Map<string, Market>();
  for (const position of positions) {
    const name = marketName(position);
    if (markets.has(name)) continue;
    const found = await source.find(position).catch((error: unknown) => {
      if (error instanceof DomainError) return undefined;
      throw error;
    });
    markets.set(name, found ?? unlistedMarket(position.marketId, position.venue));
  }
  return markets;
}

function inWords(positions: readonly Position[], markets: Markets): string {
  if (positions.length === 0) return 'There is nothing to redeem.';
  const lines = [...markets].flatMap(([name, market]) => {
    const own = positions.filter((position) => marketName(position) === name);
    return [
      `${market.question ?? market.id}, at ${market.venue}`,
      ...own.map(({ account, outcome, redeemable: paid }) => `  ${account} ${outcome}: ${formatMicro(paid)} USDC`),
      ...instructionsFor(market).map((sentence) => `  ${sentence}`),
    ];
  });
  return lines.join('\n');
}

function rowOf(position: Position, markets: Markets): object {
  const { account, venue, marketId, outcome, redeemable: redeemableUsdc } = position;
  const market = markets.get(marketName(position)) ?? unlistedMarket(marketId, venue);
  return { account, marketId, token: outcome, redeemableUsdc, instructions: instructionsFor(market), venue };
}

function instructionsFor(market: Market): readonly string[] {
  const { venue } = market;
  const adapter = adapterNamed(venue);
  if (adapter !== undefined) return adapter.redemption.instructions(market);
  return [
    `This command line does not know the venue ${venue}, so that it cannot say how shares are redeemed there.`,
    `Redeem them as ${venue} says. The books follow once the program that brings this venue along reports it.`,
  ];
}
