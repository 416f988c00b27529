import type { Command } from 'commander';
import type { WireBook, WireList, WireMarket } from '../../adapters/http/answers.js';
import { labelsOf, outcomeNamed, shownMarket, sideNamed } from './chosen-outcome.js';
import type { ApiClient } from './client/api-client.js';
import { MARKET_ARGUMENT } from './named-market.js';
import { momentShown, outcomeShown } from './output/shown.js';
import { type Detail, detailsOf, type TableColumn, tableOf, withVenue } from './output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, segment, withOptions } from './page-options.js';
import { type RemoteOptions, remoteCommand, show, showOfMarket } from './remote-command.js';

interface SearchOptions extends RemoteOptions, PageOptions {
  readonly sport?: string;
  readonly league?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly venue?: string;
}

interface BookOptions extends RemoteOptions {
  readonly outcome: string;
  readonly venue?: string;
}

const PATH = '/v1/exchange/markets';
const VENUE = ['--venue <name>', 'where the market trades; the default venue of the server when absent'] as const;
const MISSING = 'There is no such market. Find it with: stakeport markets WORDS';
const QUESTION_WIDTH = 50;

const COLUMNS: readonly TableColumn<WireMarket>[] = [
  { title: 'market', of: ({ slug, id }) => slug ?? id },
  { title: 'question', of: ({ question }) => question, most: QUESTION_WIDTH },
  { title: 'outcomes', of: (market) => labelsOf(market).join(' / '), most: QUESTION_WIDTH },
  { title: 'league', of: ({ league, sport }) => league ?? sport },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'starts', of: ({ starts_at: at }) => momentShown(at) },
  { title: 'status', of: ({ status }) => status, painted: true },
];

/** `stakeport markets [search words]`. */
export function marketsCommand(): Command {
  const command = remoteCommand(
    'markets',
    'search markets',
    'stakeport markets arsenal chelsea',
    'stakeport markets --sport soccer --status open',
  ).argument('[words...]', 'words of the question, the event, the slug or the outcomes');
  return withOptions(command, [
    ['--sport <name>', 'only of this sport'],
    ['--league <name>', 'only of this league'],
    ['--kind <kind>', 'only moneyline, spread, total or other'],
    ['--status <status>', 'only with this status: open, in_play, resolving, disputed, resolved or amended'],
    VENUE,
    ...PAGE_OPTIONS,
  ]).action((words: readonly string[], options: SearchOptions) => {
    const { sport, league, kind, status, venue } = options;
    const text = words.length === 0 ? undefined : words.join(' ');
    const query = { text, sport, league, kind, status, venue, ...pageQuery(options) };
    return show<WireList<WireMarket>>(options, { path: PATH, query }, ({ data }) =>
      tableOf(withVenue(COLUMNS, data), data, 'No market matches.'),
    );
  });
}

/** `stakeport market ID`. */
export function marketCommand(): Command {
  return remoteCommand('market', 'show a market: its outcomes, its rules and its fee', 'stakeport market home-away')
    .argument(...MARKET_ARGUMENT)
    .option(...VENUE)
    .action((market: string, options: RemoteOptions & { venue?: string }) => {
      const { venue } = options;
      const asked = (id: string) => ({ path: `${PATH}/${segment(id)}`, query: { venue }, missing: MISSING });
      return showOfMarket<WireMarket>(options, { market, venue }, asked, (found) => detailsOf(detailsOfMarket(found)));
    });
}

/** `stakeport book ID`. */
export function bookCommand(): Command {
  return remoteCommand(
    'book',
    'show the book of an outcome, best prices first',
    'stakeport book home-away',
    'stakeport book home-away --outcome Away',
  )
    .argument(...MARKET_ARGUMENT)
    .option('--outcome <outcome>', 'YES, NO, or the name of the outcome in its market', 'YES')
    .option(...VENUE)
    .action((market: string, options: BookOptions) => {
      const { venue } = options;
      const asked = async (id: string, api: ApiClient) => {
        const named = { ...options, market: id };
        const side = sideNamed(named);
        const found = side === undefined ? await shownMarket(api, named) : null;
        const query = { token: side ?? outcomeNamed(found, named), venue };
        return { path: `${PATH}/${segment(found?.id ?? id)}/book`, query, missing: MISSING };
      };
      return showOfMarket<WireBook>(options, { market, venue }, asked, bookShown);
    });
}

function detailsOfMarket(market: WireMarket): readonly Detail[] {
  const { terms, payout } = market;
  const names = (market.outcomes ?? []).map(({ token, label }): Detail => [`outcome ${token}`, label]);
  return [
    ['market', market.slug ?? market.id],
    ['id', market.id],
    ['venue', market.venue],
    ['question', market.question],
    ...names,
    ['event', market.event?.title ?? market.event?.slug],
    ['sport', market.sport],
    ['league', market.league],
    ['kind', market.kind],
    ['line', market.line],
    ['starts', momentShown(market.starts_at)],
    ['status', market.status],
    ['pays', payout === null ? null : `${payout.yes} for YES, ${payout.no} for NO`],
    ['price step', terms?.tick],
    ['least shares', terms?.min_shares],
    ['fee', feeShown(terms)],
    ['takes orders', terms === null ? null : yesOrNo(terms.accepting_orders)],
    ['delay', terms === null ? null : `${terms.delay_seconds} s`],
  ];
}

/** The fee of a market, in the words of its formula. */
function feeShown(terms: WireMarket['terms']): string | null {
  const fee = terms?.fee ?? null;
  if (fee === null) return null;
  if (fee.rate === '0') return 'none';
  const curve = fee.exponent === 0 ? '' : ` × (price × (1 − price))${fee.exponent === 1 ? '' : `^${fee.exponent}`}`;
  return `${fee.rate}${curve} a share${fee.taker_only ? ', none for orders that rested' : ''}`;
}

/** A truth in words. */
export const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

interface Depth {
  readonly bid: WireBook['bids'][number] | undefined;
  readonly ask: WireBook['asks'][number] | undefined;
}

const DEPTH: readonly TableColumn<Depth>[] = [
  { title: 'shares', of: ({ bid }) => bid?.size ?? '', right: true },
  { title: 'bid', of: ({ bid }) => bid?.price ?? '', right: true },
  { title: 'ask', of: ({ ask }) => ask?.price ?? '', right: true },
  { title: 'shares', of: ({ ask }) => ask?.size ?? '', right: true },
];

function bookShown({ token, at, fresh, bids, asks }: WireBook): string {
  const rows = Array.from({ length: Math.max(bids.length, asks.length) }, (_, n) => ({ bid: bids[n], ask: asks[n] }));
  const age = fresh ? '' : ', out of date: nothing fills against it now';
  return `${outcomeShown(token, null)} at ${momentShown(at)}${age}\n${tableOf(DEPTH, rows, 'The book is empty.')}`;
}
