import type { Command } from 'commander';
import type { WirePortfolio } from '../../adapters/http/answers.js';
import { awaitedOf } from './awaited.js';
import type { ApiClient } from './client/api-client.js';
import { knownOption, STRATEGY } from './known-id.js';
import { momentShown, moneyShown } from './output/shown.js';
import { detailsOf, type TableColumn, tableOf, withVenue } from './output/table.js';
import { type RemoteOptions, remoteCommand, show } from './remote-command.js';

type Position = WirePortfolio['positions'][number];
/** A position, with what it waits for once its market trades no more. */
type AwaitingPosition = Position & { readonly awaits: string | undefined };

const LIVE = ['--live', 'with real money; on paper when absent'] as const;
const NAME_WIDTH = 60;

const POSITIONS: readonly TableColumn<AwaitingPosition>[] = [
  { title: 'outcome', of: ({ name }) => name, most: NAME_WIDTH },
  { title: 'shares', of: ({ shares }) => shares, right: true },
  { title: 'average', of: ({ average_price: price }) => price, right: true },
  { title: 'mark', of: ({ mark_price: price }) => price, right: true },
  { title: 'cost', of: ({ cost_usdc: cost }) => cost, right: true },
  { title: 'value', of: ({ value_usdc: value }) => value, right: true },
  { title: 'unrealised', of: ({ unrealised_usdc: gain }) => gain, right: true },
];
const AWAITS: TableColumn<AwaitingPosition> = { title: 'awaits', of: ({ awaits }) => awaits };

/** `stakeport portfolio`. */
export function portfolioCommand(): Command {
  const words = 'show what the account holds and is worth';
  return held('portfolio', words, 'stakeport portfolio --live', portfolioShown);
}

/** `stakeport positions`. */
export function positionsCommand(): Command {
  return held('positions', 'show what is held, with its value now', 'stakeport positions --live', positionsShown);
}

type View = (found: WirePortfolio, api: ApiClient) => Promise<string>;

async function positionsShown({ positions }: WirePortfolio, api: ApiClient): Promise<string> {
  const awaited = await awaitedOf(api, positions);
  const rows = positions.map((one) => ({ ...one, awaits: awaited.get(one.market_id) }));
  const columns = awaited.size === 0 ? POSITIONS : [...POSITIONS, AWAITS];
  return tableOf(withVenue(columns, rows), rows, 'No open positions.');
}

function held(name: string, description: string, example: string, view: View): Command {
  return remoteCommand(name, description, example)
    .option(...LIVE)
    .option('--strategy <strategy>', 'only what was bought and sold under this strategy: its name or its id')
    .action((options: RemoteOptions & { live?: boolean; strategy?: string }) => {
      const request = async (api: ApiClient) => {
        const strategy_id = await knownOption(api, STRATEGY, options.strategy);
        const query = { paper: options.live !== true, strategy_id };
        return { path: '/v1/portfolio', query, missing: STRATEGY.missing };
      };
      return show<WirePortfolio>(options, request, view);
    });
}

async function portfolioShown(portfolio: WirePortfolio, api: ApiClient): Promise<string> {
  const usdc = (amount: string | null) => (amount === null ? null : `${amount} USDC`);
  const worth = detailsOf([
    ['money', moneyShown(portfolio)],
    ['cash', usdc(portfolio.cash_usdc)],
    ['reserved', usdc(portfolio.reserved_usdc)],
    ['equity', usdc(portfolio.equity_usdc)],
    ['at risk', usdc(portfolio.exposure_usdc)],
    ['profit', usdc(portfolio.profit_usdc)],
    ['fees', usdc(portfolio.fees_usdc)],
    ['at', momentShown(portfolio.at)],
  ]);
  return `${worth}\n\n${await positionsShown(portfolio, api)}`;
}
