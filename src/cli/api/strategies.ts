import type { Command } from 'commander';
import type {
  WireDecision,
  WireEvaluation,
  WireList,
  WireSkipCount,
  WireStrategy,
} from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import { type FoldedDecision, foldedDecisions, repeatText } from '../../core/strategy/record/listed-decisions.js';
import type { ApiClient, ApiRequest } from './client/api-client.js';
import { knownId, STRATEGY } from './known-id.js';
import { yesOrNo } from './markets.js';
import { momentShown } from './output/shown.js';
import { detailsOf, type TableColumn, tableOf } from './output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, segment, withOptions } from './page-options.js';
import { type RemoteOptions, remoteCommand, show, showOfMarket } from './remote-command.js';

interface DecisionOptions extends RemoteOptions, PageOptions {
  readonly verdict?: string;
  readonly code?: string;
  readonly market?: string;
  readonly summary?: boolean;
}

interface EvaluateOptions extends RemoteOptions {
  readonly market?: string;
  readonly venue?: string;
}

const { path: PATH, missing: MISSING } = STRATEGY;
/** The argument that names a strategy. */
export const STRATEGY_ARGUMENT = [
  '<strategy>',
  'its name or the start of that, its id, or the last 8 characters of it as stakeport strategies shows them',
] as const;
const NAME_WIDTH = 40;
const OUTCOME_WIDTH = 60;

const COLUMNS: readonly TableColumn<WireStrategy>[] = [
  { title: 'id', of: ({ id }) => shortId(id) },
  { title: 'name', of: ({ name }) => name, most: NAME_WIDTH },
  { title: 'sport', of: ({ sport }) => sport },
  { title: 'automation', of: ({ automation }) => automation ?? 'off' },
  { title: 'money', of: moneyOf, painted: true },
  { title: 'paused', of: ({ is_paused: paused }) => yesOrNo(paused) },
  { title: 'bankroll', of: ({ bankroll_cap: cap }) => cap, right: true },
  { title: 'stake', of: ({ stake_cap: cap }) => cap, right: true },
  { title: 'version', of: ({ version }) => version, right: true },
];

const DECISIONS: readonly TableColumn<FoldedDecision<WireEvaluation>>[] = [
  { title: 'at', of: ({ decision: { at } }) => momentShown(at) },
  { title: 'verdict', of: ({ decision }) => verdictShown(decision), painted: true },
  { title: 'outcome', of: ({ decision: { name } }) => name, most: OUTCOME_WIDTH },
  { title: 'odds', of: ({ decision: { odds } }) => odds, right: true },
  { title: 'cost', of: ({ decision: { cost_usdc: cost } }) => cost, right: true },
  { title: 'why', of: whyShown },
];

const SKIPS: readonly TableColumn<WireSkipCount>[] = [
  { title: 'hour', of: ({ hour }) => momentShown(hour) },
  { title: 'count', of: ({ count }) => count, right: true },
  { title: 'code', of: ({ code }) => code },
  { title: 'why', of: ({ reason }) => reason },
];

/** `stakeport strategies`. */
export function strategiesCommand(): Command {
  const command = remoteCommand('strategies', 'list strategies, newest first', 'stakeport strategies --sport soccer');
  return withOptions(command, [['--sport <name>', 'only for this sport'], ...PAGE_OPTIONS]).action(
    (options: RemoteOptions & PageOptions & { sport?: string }) => {
      const query = { sport: options.sport, ...pageQuery(options) };
      return show<WireList<WireStrategy>>(options, { path: PATH, query }, ({ data }) =>
        tableOf(COLUMNS, data, 'No strategies.'),
      );
    },
  );
}

/** `stakeport strategy NAME`. */
export function strategyShowCommand(): Command {
  return remoteCommand(
    'show',
    'show a strategy with its rules; the word show may be left out',
    'stakeport strategy show "Home while it is cheap"',
    'stakeport strategy show 8c91b24c',
  )
    .argument(...STRATEGY_ARGUMENT)
    .action((id: string, options: RemoteOptions) => show<WireStrategy>(options, asked(id), strategyShown));
}

/** `stakeport decisions STRATEGY`. */
export function decisionsCommand(): Command {
  const command = remoteCommand(
    'decisions',
    'list what a strategy decided, newest first, and why it did not bet',
    'stakeport decisions favourites --verdict skip',
    'stakeport decisions 8c91b24c --summary',
  ).argument(...STRATEGY_ARGUMENT);
  return withOptions(command, [
    ['--verdict <verdict>', 'only bet, or only skip'],
    ['--code <code>', 'only skips for this reason'],
    ['--market <market>', 'only on this market: its slug, its id, or words of it'],
    ['--summary', 'count why it did not bet, by the hour of the last day, instead'],
    ...PAGE_OPTIONS,
  ]).action((id: string, options: DecisionOptions) => {
    const { verdict, code, market } = options;
    if (options.summary === true)
      return show<WireList<WireSkipCount>>(options, asked(id, '/decisions/summary'), ({ data }) =>
        tableOf(SKIPS, data, 'It skipped nothing in the last 24 hours.'),
      );
    const ofMarket = (market_id?: string) =>
      asked(id, '/decisions', { query: { verdict, code, market_id, ...pageQuery(options) } });
    const isAll = verdict === undefined && code === undefined && market === undefined && options.cursor === undefined;
    const none = isAll ? noDecisions(id) : 'No such decisions.';
    const view = ({ data }: WireList<WireDecision>) => decisionsShown(data, none);
    return market === undefined
      ? show(options, ofMarket(), view)
      : showOfMarket(options, { market }, (found, api) => ofMarket(found)(api), view);
  });
}

/** `stakeport evaluate STRATEGY`. */
export function evaluateCommand(): Command {
  return remoteCommand(
    'evaluate',
    'show what a strategy would bet now, and why not; changes nothing',
    'stakeport evaluate favourites --market home-away',
  )
    .argument(...STRATEGY_ARGUMENT)
    .option('--market <market>', 'only this market; every one that the rules may name when absent')
    .option('--venue <name>', 'where that market trades')
    .action((id: string, options: EvaluateOptions) => {
      const { market, venue } = options;
      const ofMarket = (market_id?: string) => asked(id, '/evaluate', { method: 'POST', body: { market_id, venue } });
      const view = ({ data }: WireList<WireEvaluation>) => decisionsShown(data, 'The rules name no market now.');
      return market === undefined
        ? show(options, ofMarket(), view)
        : showOfMarket(options, { market, venue }, (found, api) => ofMarket(found)(api), view);
    });
}

/** What is asked of the strategy that a person names. */
const asked =
  (id: string, below = '', request: Omit<ApiRequest, 'path' | 'missing'> = {}) =>
  async (api: ApiClient): Promise<ApiRequest> => ({
    ...request,
    path: `${PATH}/${segment(await knownId(api, STRATEGY, id))}${below}`,
    missing: MISSING,
  });

/** A strategy that was just made has none, until the book of one of its markets changes. */
const noDecisions = (said: string): string =>
  `No decisions yet. It decides whenever a market of its rules changes, unless its automation is off or it is paused. What it would do now, and why: stakeport evaluate ${/^[\w-]+$/.test(said) ? said : JSON.stringify(said)}`;

const decisionsShown = (decisions: readonly WireEvaluation[], empty: string): string =>
  tableOf(DECISIONS, foldedDecisions(decisions), empty);

/** A sale is on record as an order that costs nothing. */
const verdictShown = ({ verdict, cost_usdc: cost }: WireEvaluation): string =>
  verdict === 'bet' && cost === null ? 'sale' : verdict;

function whyShown(row: FoldedDecision<WireEvaluation>): string {
  const repeats = repeatText(row);
  return repeats === null ? row.decision.reason : `${row.decision.reason} (${repeats})`;
}

/** Whether it may move real money: by orders under it, or by itself. */
function moneyOf({ paper_only: paperOnly, automation_paper: automationPaper }: WireStrategy): string {
  return paperOnly && automationPaper !== false ? 'PAPER' : 'LIVE';
}

/** A strategy with its rules, in details. */
export function strategyShown(strategy: WireStrategy): string {
  const { rules, warnings } = strategy;
  const details = detailsOf([
    ['id', strategy.id],
    ['name', strategy.name],
    ['sport', strategy.sport],
    ['version', strategy.version],
    ['automation', strategy.automation ?? 'off'],
    ['money', moneyOf(strategy)],
    ['paused', yesOrNo(strategy.is_paused)],
    ['bankroll cap', `${strategy.bankroll_cap} USDC`],
    ['stake cap', `${strategy.stake_cap} USDC`],
    ['created', momentShown(strategy.created_at)],
    ['changed', momentShown(strategy.updated_at)],
    ...warnings.map(({ pointer, detail }) => ['warning', `${pointer} ${detail}`.trim()] as const),
  ]);
  const lines = Object.entries(rules).map(([part, value]) => [part, JSON.stringify(value)] as const);
  return `${details}\n\nrules\n${detailsOf(lines)}`;
}
