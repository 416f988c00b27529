import type { Command } from 'commander';
import type { WireResult, WireResults } from '../../adapters/http/answers.js';
import { withShortIds } from '../../core/ids.js';
import type { ApiClient } from './client/api-client.js';
import { knownOption, STRATEGY } from './known-id.js';
import { momentOption } from './moment-option.js';
import { type TableColumn, tableOf } from './output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, withOptions } from './page-options.js';
import { type RemoteOptions, remoteCommand, show } from './remote-command.js';

interface ResultOptions extends RemoteOptions, PageOptions {
  readonly by: string;
  readonly live?: boolean;
  readonly bootstrap?: boolean;
  readonly strategy?: string;
  readonly venue?: string;
  readonly settledAfter?: string;
  readonly settledBefore?: string;
}

const NAME_WIDTH = 40;

const COLUMNS: readonly TableColumn<WireResult>[] = [
  { title: 'what', of: ({ key }) => (key === null ? null : withShortIds(key)), most: NAME_WIDTH },
  { title: 'venue', of: ({ venue }) => venue },
  { title: 'bets', of: ({ bets }) => bets, right: true },
  { title: 'open', of: ({ open }) => open, right: true },
  { title: 'events', of: ({ measures }) => measures.yield.n, right: true },
  { title: 'turnover', of: ({ measures }) => measures.turnover_usdc.value, right: true },
  { title: 'profit', of: ({ measures }) => measures.profit_usdc.value, right: true },
  { title: 'yield', of: ({ measures }) => percentOf(measures.yield.value), right: true },
  { title: '95 % from', of: ({ measures }) => percentOf(measures.yield.low), right: true },
  { title: 'to', of: ({ measures }) => percentOf(measures.yield.high), right: true },
  { title: 'won', of: ({ measures }) => percentOf(measures.hit_rate.value), right: true },
  { title: 'clv', of: ({ measures }) => percentOf(measures.clv_net.value), right: true },
];

/** `stakeport results`. */
export function resultsCommand(): Command {
  return withOptions(
    remoteCommand('results', 'show what bets showed, and how sure that is', 'stakeport results --by league --bootstrap')
      .option('--by <property>', 'strategy, version, sport, league, kind, odds, phase or day', 'strategy')
      .option('--settled-after <moment>', 'only bets that settled then or later', momentOption)
      .option('--settled-before <moment>', 'only bets that settled earlier', momentOption),
    [
      ['--live', 'with real money; on paper when absent'],
      ['--bootstrap', 'draw events again and again for the interval; every bet is read'],
      ['--strategy <strategy>', 'only under this strategy: its name or its id'],
      ['--venue <name>', 'only at this venue'],
      ...PAGE_OPTIONS,
    ],
  ).action((options: ResultOptions) => {
    const { by, live, bootstrap, strategy, venue, settledAfter, settledBefore } = options;
    const interval = bootstrap === true ? 'bootstrap' : undefined;
    const settled = { settled_after: settledAfter, settled_before: settledBefore };
    const request = async (api: ApiClient) => {
      const strategy_id = await knownOption(api, STRATEGY, strategy);
      const filter = { by, paper: live !== true, interval, strategy_id, venue, ...settled };
      return { path: '/v1/results', query: { ...filter, ...pageQuery(options) } };
    };
    return show<WireResults>(options, request, shown);
  });
}

function shown({ data, covered }: WireResults): string {
  const table = tableOf(COLUMNS, data, 'No bets.');
  return covered.all ? table : `${table}\n\nOnly the newest ${covered.bets} bets were measured.`;
}

/** A ratio in percent with one decimal; the exact one is in `--json`. */
const percentOf = (ratio: string | null): string | null =>
  ratio === null ? null : `${(Number(ratio) * 100).toFixed(1)} %`;
