import type { Command } from 'commander';
import type {
  WireAlarm,
  WireApproval,
  WireBet,
  WireEquity,
  WireLimitsInUse,
  WireList,
  WireOrder,
  WirePortfolio,
  WireTradingNow,
} from '../../adapters/http/answers.js';
import { shortId, withShortIds } from '../../core/ids.js';
import { LIMIT_NAMES, limitOf } from '../../core/limits/limits.js';
import { BET_ORDERS } from '../../core/performance/bet-filter.js';
import { print } from '../print.js';
import { awaitedOf } from './awaited.js';
import type { ApiClient, ApiRequest } from './client/api-client.js';
import { knownOption, ORDER, STRATEGY, strategyNames, WORKING_STATUSES } from './known-id.js';
import { momentShown, moneyShown, NOTHING } from './output/shown.js';
import { type Detail, detailsOf, type TableColumn, tableOf } from './output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, withOptions } from './page-options.js';
import { type RemoteOptions, remoteCommand, show, showOfMarket, withServer } from './remote-command.js';

interface MoneyOptions extends RemoteOptions {
  readonly live?: boolean;
}

interface HistoryOptions extends MoneyOptions, PageOptions {
  readonly equity?: boolean;
  readonly result?: string;
  readonly order?: string;
  readonly market?: string;
  readonly strategy?: string;
}

const LIVE = ['--live', 'with real money; on paper when absent'] as const;
const NAME_WIDTH = 60;
const STRATEGY_WIDTH = 30;
/** The most of a list that a status has. */
const LISTED = '100';

const ALARMS: readonly TableColumn<WireAlarm>[] = [
  { title: 'since', of: ({ since }) => momentShown(since) },
  { title: 'urgent', of: ({ urgent }) => (urgent ? 'yes' : 'no') },
  { title: 'alarm', of: ({ title }) => title },
  { title: 'about', of: ({ subject }) => (subject === '' ? null : withShortIds(subject)), most: NAME_WIDTH },
  { title: 'found', of: ({ detail }) => detail },
  { title: 'what to do', of: ({ what_to_do: words }) => words },
];

/** A bet, with what else a person wants to know of it. */
interface ShownBet extends WireBet {
  readonly strategy: string | null;
  /** What an open one waits for once its market trades no more. */
  readonly awaits: string | undefined;
}

const BETS: readonly TableColumn<ShownBet>[] = [
  { title: 'first fill', of: ({ first_fill_at: at }) => momentShown(at) },
  { title: 'ended', of: ({ settled_at: at }) => momentShown(at) },
  { title: 'outcome', of: betName, most: NAME_WIDTH },
  { title: 'strategy', of: ({ strategy }) => strategy, most: STRATEGY_WIDTH },
  { title: 'shares', of: ({ shares }) => shares, right: true },
  { title: 'stake', of: ({ stake_usdc: stake }) => stake, right: true },
  { title: 'fees', of: ({ fees_usdc: fees }) => fees, right: true },
  { title: 'proceeds', of: ({ proceeds_usdc: proceeds }) => proceeds, right: true },
  { title: 'profit', of: ({ profit_usdc: profit }) => profit, right: true },
  {
    title: 'result',
    of: ({ result, awaits }) => (awaits === undefined ? result : `${result}, awaits ${awaits}`),
    painted: true,
  },
];

const EQUITY: readonly TableColumn<WireEquity>[] = [
  { title: 'at', of: ({ at }) => momentShown(at) },
  { title: 'cash', of: ({ cash_usdc: cash }) => cash, right: true },
  { title: 'value', of: ({ value_usdc: value }) => value, right: true },
  { title: 'equity', of: ({ equity_usdc: equity }) => equity, right: true },
  { title: 'realised', of: ({ realised_usdc: gain }) => gain, right: true },
  { title: 'fees', of: ({ fees_usdc: fees }) => fees, right: true },
  { title: 'profit', of: ({ profit_usdc: profit }) => profit, right: true },
];

/** `stakeport alarms`. */
export function alarmsCommand(): Command {
  return remoteCommand('alarms', 'list what is wrong now, the oldest first, and what to do', 'stakeport alarms').action(
    (options: RemoteOptions) =>
      show<Alarms>(options, { path: '/v1/alarms' }, ({ data }) => tableOf(ALARMS, data, 'Nothing is wrong.')),
  );
}

/** `stakeport history`. */
export function historyCommand(): Command {
  const command = remoteCommand(
    'history',
    'list bets, newest first, and what became of them',
    'stakeport history --order worst --limit 10',
    'stakeport history --equity --live',
  );
  return withOptions(command, [
    LIVE,
    ['--result <result>', 'only with this result, such as open, won or lost'],
    ['--order <order>', `which come first: ${BET_ORDERS.join(', ')}; by profit, only those that ended`],
    ['--market <market>', 'only on this market: its slug, its id, or words of it'],
    ['--strategy <strategy>', 'only of this strategy: its name or its id'],
    ['--equity', 'list what the account was worth instead'],
    ...PAGE_OPTIONS,
  ]).action((options: HistoryOptions) => {
    const { market, equity } = options;
    const query = { paper: options.live !== true, ...pageQuery(options) };
    const asked = async (api: ApiClient, path: string, filter: ApiRequest['query']): Promise<ApiRequest> => {
      const strategy_id = await knownOption(api, STRATEGY, options.strategy);
      return { path, query: { ...query, ...filter, strategy_id }, missing: STRATEGY.missing };
    };
    if (equity === true)
      return show<WireList<WireEquity>>(
        options,
        (api) => asked(api, '/v1/portfolio/history', {}),
        ({ data }) => tableOf(EQUITY, data, 'Nothing is on record yet.'),
      );
    const bets = (market_id: string | undefined, api: ApiClient) =>
      asked(api, '/v1/bets', { result: options.result, order: options.order, market_id });
    const view = async ({ data }: WireList<WireBet>, api: ApiClient) =>
      tableOf(BETS, await shownBets(api, data), 'No bets.');
    return market === undefined
      ? show(options, (api) => bets(market, api), view)
      : showOfMarket(options, { market }, bets, view);
  });
}

async function shownBets(api: ApiClient, bets: readonly WireBet[]): Promise<readonly ShownBet[]> {
  const open = bets.filter(({ result }) => result === 'open');
  const [names, awaited] = await Promise.all([
    strategyNames(
      api,
      bets.flatMap(({ strategy_id: id }) => id ?? []),
    ),
    awaitedOf(api, open),
  ]);
  return bets.map((bet) => {
    const { strategy_id: id, market_id: market, result } = bet;
    const strategy = id === null ? null : (names.get(id) ?? shortId(id));
    return { ...bet, strategy, awaits: result === 'open' ? awaited.get(market) : undefined };
  });
}

/** A bet by its game and outcome. */
function betName({ event, question, outcome_label: label, market_id: market }: WireBet): string {
  const place = event ?? question ?? withShortIds(market);
  return label === null ? place : `${place}: ${label}`;
}

interface Alarms {
  readonly data: readonly WireAlarm[];
}

/** What the API says about each part, by its name. */
interface Status {
  readonly trading: WireTradingNow;
  readonly alarms: Alarms;
  readonly approvals: WireList<WireApproval>;
  readonly portfolio: WirePortfolio;
  readonly limits: WireLimitsInUse;
  readonly orders: WireList<WireOrder>;
}

/** `stakeport status`. */
export function statusCommand(): Command {
  return remoteCommand(
    'status',
    'show what needs a person, then money and what is in use of limits',
    'stakeport status',
  )
    .option(...LIVE)
    .action((options: MoneyOptions) =>
      withServer(options, async (api) => {
        const status = await readStatus(api, options.live !== true);
        print(options.json === true ? JSON.stringify(status) : statusShown(status));
      }),
    );
}

async function readStatus(api: ApiClient, paper: boolean): Promise<Status> {
  const read = async <Body>(path: string, query: ApiRequest['query'] = {}) =>
    (await api.request<Body>({ path, query })).body;
  const [trading, alarms, approvals, portfolio, limits, orders] = await Promise.all([
    read<WireTradingNow>('/v1/trading/state'),
    read<Alarms>('/v1/alarms'),
    read<WireList<WireApproval>>('/v1/approvals', { state: 'waiting', limit: LISTED }),
    read<WirePortfolio>('/v1/portfolio', { paper }),
    read<WireLimitsInUse>('/v1/limits', { paper }),
    read<WireList<WireOrder>>(ORDER.path, { status: WORKING_STATUSES.join(), paper, limit: LISTED }),
  ]);
  return { trading, alarms, approvals, portfolio, limits, orders };
}

function statusShown({ trading, alarms, approvals, portfolio, limits, orders }: Status): string {
  const usdc = (amount: string | null) => (amount === null ? null : `${amount} USDC`);
  const needs: readonly Detail[] = [
    ...alarms.data.map(({ title, detail, what_to_do: words }): Detail => ['alarm', `${title}. ${detail} ${words}`]),
    ...trading.data
      .filter(({ state }) => state !== 'active')
      .map(({ scope, state, stops, reason, by }): Detail => {
        const money = stops === 'all' ? '' : ' (live)';
        return [state, `${withShortIds(scope)}${money}: ${reason}, by ${by}. stakeport resume`];
      }),
    ...approvals.data.map(({ id, decision, expires_at: until }): Detail => {
      const what = `${decision.name} for ${decision.cost_usdc ?? NOTHING} USDC, until ${momentShown(until)}`;
      return ['approve', `${what}: stakeport approve ${shortId(id)}`];
    }),
  ];
  const money: readonly Detail[] = [
    ['money', moneyShown(portfolio)],
    ['equity', usdc(portfolio.equity_usdc)],
    ['cash', usdc(portfolio.cash_usdc)],
    ['at risk', usdc(portfolio.exposure_usdc)],
    ['profit', usdc(portfolio.profit_usdc)],
    ['positions', portfolio.positions.length],
    ['working orders', `${orders.data.length}${orders.next_cursor === null ? '' : ' or more'}`],
    ...limitsInUse(limits),
    ['at', momentShown(portfolio.at)],
  ];
  return `${needs.length === 0 ? 'Nothing needs you.' : detailsOf(needs)}\n\n${detailsOf(money)}`;
}

/** The limits that are set and count something. */
function limitsInUse({ used, ...limits }: WireLimitsInUse): readonly Detail[] {
  const of = (values: object): Readonly<Record<string, string | number | null>> => ({ ...values });
  return LIMIT_NAMES.map(limitOf).flatMap(({ shown, label }): readonly Detail[] => {
    const [most, now] = [of(limits)[shown] ?? null, of(used)[shown] ?? null];
    return most === null || now === null ? [] : [[label.toLowerCase(), `${now} of ${most} (${shown})`]];
  });
}
