import { Command } from 'commander';
import type { Position } from '../core/account/position.js';
import { type RedeemableCursor, whole } from '../core/ledger/query.js';
import { type Market, marketName, outcomeOf, unlistedMarket } from '../core/market/market.js';
import { formatMicro } from '../core/money.js';
import type { Ledger } from '../ports/ledger.js';
import { adapterNamed } from '../server/venues.js';
import { JSON_OPTION } from './command-options.js';
import { describedMarkets, type MarketsByName, marketTitle } from './described-markets.js';
import { GROUP_HEADS } from './group-heads.js';
import { print, printJson } from './print.js';
import { withLedger } from './with-ledger.js';

/** `stakeport redeemable`: what results paid in real money, and how a person redeems it for cash. Changes nothing. */
export function redeemCommand(): Command {
  return new Command('redeemable')
    .description(GROUP_HEADS.redeemable.means)
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
  const markets = await describedMarkets(positions);
  if (json) printJson(positions.map((position) => rowOf(position, markets)));
  else print(inWords(positions, markets));
}

function inWords(positions: readonly Position[], markets: MarketsByName): string {
  if (positions.length === 0) return 'There is nothing to redeem.';
  const lines = [...markets].flatMap(([name, market]) => {
    const own = positions.filter((position) => marketName(position) === name);
    return [
      `${marketTitle(market)}, at ${market.venue}`,
      ...own.map(({ account, outcome, redeemable: paid }) => {
        const label = outcomeOf(market, outcome)?.label ?? outcome;
        return `  ${account} ${label}: ${formatMicro(paid)} USDC`;
      }),
      ...instructionsFor(market).map((sentence) => `  ${sentence}`),
    ];
  });
  return lines.join('\n');
}

function rowOf(position: Position, markets: MarketsByName): object {
  const { account, venue, marketId, outcome, redeemable: redeemableUsdc } = position;
  const market = markets.get(marketName(position)) ?? unlistedMarket(marketId, venue);
  const named = {
    event: market.event?.title ?? null,
    question: market.question,
    outcomeLabel: outcomeOf(market, outcome)?.label ?? null,
  };
  return { account, marketId, token: outcome, ...named, redeemableUsdc, instructions: instructionsFor(market), venue };
}

function instructionsFor(market: Market): readonly string[] {
  const { venue } = market;
  const adapter = adapterNamed(venue);
  if (adapter?.redemption === null) return [`A result pays cash at ${venue}: there is nothing to redeem.`];
  if (adapter !== undefined) return adapter.redemption.instructions(market);
  return [
    `This command line does not know the venue ${venue}, so that it cannot say how shares are redeemed there.`,
    `Redeem them as ${venue} says. The books follow once the program that brings this venue along reports it.`,
  ];
}
