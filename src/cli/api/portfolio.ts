import type { Command } from 'commander';
import type { WireLimitsInUse, WirePortfolio } from '../../adapters/http/answers.js';
import type { ApiClient } from './client/api-client.js';
import { knownOption, STRATEGY } from './known-id.js';
import { momentShown, moneyShown } from './output/shown.js';
import { detailsOf, type TableColumn, tableOf } from './output/table.js';
import { type RemoteOptions, remoteCommand, show } from './remote-command.js';

type Position = WirePortfolio['positions'][number];

const LIVE = ['--live', 'with real money; on paper when absent'] as const;
const NAME_WIDTH = 60;

const POSITIONS: readonly TableColumn<Position>[] = [
  { title: 'outcome', of: ({ name }) => name, most: NAME_WIDTH },
  { title: 'shares', of: ({ shares }) => shares, right: true },
  { title: 'average', of: ({ average_price: price }) => price, right: true },
  { title: 'mark', of: ({ mark_price: price }) => price, right: true },
  { title: 'cost', of: ({ cost_usdc: cost }) => cost, right: true },
  { title: 'value', of: ({ value_usdc: value }) => value, right: true },
  { title: 'unrealised', of: ({ unrealised_usdc: gain }) => gain, right: true },
];

interface LimitRow {
  readonly name: string;
  readonly limit: string | number | null;
  readonly used: string | number | null;
}

const LIMITS: readonly TableColumn<LimitRow>[] = [
  { title: 'limit', of: ({ name }) => name },
  { title: 'at most', of: ({ limit }) => limit, right: true },
  { title: 'in use', of: ({ used }) => used, right: true },
];

/** `stakeport portfolio`. */
export function portfolioCommand(): Command {
  return remoteCommand('portfolio', 'show what the account holds and is worth', 'stakeport portfolio --live')
    .option(...LIVE)
    .option('--strategy <id>', 'only what was bought and sold under this strategy')
    .action((options: RemoteOptions & { live?: boolean; strategy?: string }) => {
      const request = async (api: ApiClient) => {
        const strategy_id = await knownOption(api, STRATEGY, options.strategy);
        const query = { paper: options.live !== true, strategy_id };
        return { path: '/v1/portfolio', query, missing: STRATEGY.missing };
      };
      return show<WirePortfolio>(options, request, portfolioShown);
    });
}

/** `stakeport limits`. */
export function limitsCommand(): Command {
  return remoteCommand('limits', 'show what the account may risk, and what of it is in use', 'stakeport limits')
    .option(...LIVE)
    .action((options: RemoteOptions & { live?: boolean }) => {
      const query = { paper: options.live !== true };
      return show<WireLimitsInUse>(options, { path: '/v1/limits', query }, ({ used, ...limits }) => {
        const names = Object.keys(limits) as (keyof typeof limits)[];
        const rows = names.map((name) => ({ name, limit: limits[name], used: used[name] }));
        return tableOf(LIMITS, rows, 'No limits.');
      });
    });
}

function portfolioShown(portfolio: WirePortfolio): string {
  const usdc = (amount: string | null) => (amount === null ? null : `${amount} USDC`);
  const worth = detailsOf([
    ['money', moneyShown(portfolio.paper)],
    ['cash', usdc(portfolio.cash_usdc)],
    ['reserved', usdc(portfolio.reserved_usdc)],
    ['equity', usdc(portfolio.equity_usdc)],
    ['at risk', usdc(portfolio.exposure_usdc)],
    ['profit', usdc(portfolio.profit_usdc)],
    ['fees', usdc(portfolio.fees_usdc)],
    ['at', momentShown(portfolio.at)],
  ]);
  return `${worth}\n\n${tableOf(POSITIONS, portfolio.positions, 'No open positions.')}`;
}
