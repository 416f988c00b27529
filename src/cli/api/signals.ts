import { Command } from 'commander';
import type { WireList, WireMarket, WireSignal } from '../../adapters/http/answers.js';
import { inOneLine } from '../../core/one-line.js';
import { SIGNALS_AT_ONCE } from '../../core/signal/signal.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { print } from '../print.js';
import { type SignalDefaults, type SignalRow, signalsByModel } from '../signal-file.js';
import type { ApiClient } from './client/api-client.js';
import { fileText } from './file-text.js';
import { momentOrDurationOption } from './moment-option.js';
import { MARKET_ARGUMENT } from './named-market.js';
import { momentShown } from './output/shown.js';
import { type Detail, detailsOf, type TableColumn, tableOf } from './output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, segment, withOptions } from './page-options.js';
import { type RemoteOptions, remoteCommand, show, showOfMarket, withServer } from './remote-command.js';
import type { Terminal } from './terminal.js';

interface PutOptions extends RemoteOptions {
  readonly expires: string;
  readonly source?: string;
  readonly venue?: string;
}

type ImportOptions = RemoteOptions & SignalDefaults;

const LIST = '/v1/signals';
const MODEL = ['<name>', 'the name of the model'] as const;
const VENUE = ['--venue <name>', 'where the market trades; the default venue of the server when absent'] as const;
const SOURCE = ['--source <text>', 'where it comes from, in your own words'] as const;
const WHEN = 'a moment, or so long from now by this clock: 30m, 2h or 7d';

/** A signal, and its market by game and question; by its id where the server does not show it. */
type NamedSignal = WireSignal & { readonly market: string };

const COLUMNS: readonly TableColumn<NamedSignal>[] = [
  { title: 'model', of: ({ name }) => name },
  { title: 'market', of: ({ market }) => market },
  {
    title: 'says',
    of: ({ probabilities }) =>
      Object.entries(probabilities)
        .map((pair) => pair.join(' '))
        .join(', '),
  },
  { title: 'expires', of: ({ expires_at: at }) => momentShown(at) },
  { title: 'put', of: ({ updated_at: at }) => momentShown(at) },
  { title: 'source', of: ({ source }) => source },
];

/** `stakeport signals …`: what models say of markets. */
export function signalsCommand(terminal: Terminal): Command {
  const signals = new Command('signals').description('say how probable a model of yours holds the outcomes of markets');
  for (const command of [listCommand(), putCommand(), importCommand(terminal), deleteCommand()])
    signals.addCommand(command);
  return signals;
}

function listCommand(): Command {
  const command = remoteCommand('list', 'list what models say', 'stakeport signals list --name elo-2');
  return withOptions(command, [
    ['--name <name>', 'only of this model'],
    ['--market <market>', 'only of this market: its slug, its id, or words of it'],
    ...PAGE_OPTIONS,
  ]).action((options: RemoteOptions & PageOptions & { name?: string; market?: string }) => {
    const { name, market } = options;
    const asked = (market_id?: string) => ({ path: LIST, query: { name, market_id, ...pageQuery(options) } });
    const view = async ({ data }: WireList<WireSignal>, api: ApiClient) =>
      tableOf(COLUMNS, await withNames(api, data), 'No signals.');
    return market === undefined ? show(options, asked(), view) : showOfMarket(options, { market }, asked, view);
  });
}

/** Markets that are looked up for one list; the others are shown by their ids. */
const MOST_NAMED = 50;

async function withNames(api: ApiClient, signals: readonly WireSignal[]): Promise<readonly NamedSignal[]> {
  const names = new Map<string, Promise<string>>();
  const nameOf = ({ market_id: id, venue }: WireSignal): Promise<string> | string => {
    const key = `${venue} ${id}`;
    if (!names.has(key) && names.size < MOST_NAMED) names.set(key, marketName(api, id, venue));
    return names.get(key) ?? id;
  };
  return Promise.all(signals.map(async (signal) => ({ ...signal, market: await nameOf(signal) })));
}

async function marketName(api: ApiClient, market: string, venue: string): Promise<string> {
  const asked = api.request<WireMarket>({ path: `/v1/exchange/markets/${segment(market)}`, query: { venue } });
  const found = await asked.then(
    ({ body }) => body,
    () => null,
  );
  const words = [found?.event?.title, found?.question].filter((one) => one !== null && one !== undefined);
  return words.length === 0 ? market : [...new Set(words)].join(': ');
}

function putCommand(): Command {
  return remoteCommand(
    'put',
    'say it: in place of what the model said of the market before; saying it again changes nothing',
    'stakeport signals put elo-2 home-away Home=0.57 --expires 2h',
  )
    .argument(...MODEL)
    .argument(...MARKET_ARGUMENT)
    .argument('<outcome=probability...>', 'one outcome, or both, by the names that the market has')
    .requiredOption('--expires <when>', WHEN, momentOrDurationOption)
    .option(...SOURCE)
    .option(...VENUE)
    .action((name: string, market: string, said: readonly string[], options: PutOptions) => {
      const { expires: expires_at, source, venue } = options;
      const body = { probabilities: probabilitiesIn(said), expires_at, source, venue };
      const asked = (id: string) => ({ method: 'PUT', path: `${LIST}/${segment(name)}/${segment(id)}`, body }) as const;
      return showOfMarket<WireSignal>(options, { market, venue }, asked, signalShown);
    });
}

function deleteCommand(): Command {
  return remoteCommand(
    'delete',
    'remove what a model says of a market: nothing is decided with it any more',
    'stakeport signals delete elo-2 home-away',
  )
    .argument(...MODEL)
    .argument(...MARKET_ARGUMENT)
    .option(...VENUE)
    .action((name: string, market: string, options: RemoteOptions & { venue?: string }) => {
      const { venue } = options;
      const missing = `${name} says nothing of this market. See: stakeport signals list`;
      const asked = (id: string) =>
        ({ method: 'DELETE', path: `${LIST}/${segment(name)}/${segment(id)}`, query: { venue }, missing }) as const;
      return showOfMarket<WireSignal>(options, { market, venue }, asked, signalShown);
    });
}

function importCommand(terminal: Terminal): Command {
  return remoteCommand(
    'import',
    `say what a CSV file has: a row an outcome, with the columns market_id, outcome and probability, and where they differ name, expires_at and source; ${SIGNALS_AT_ONCE} markets are stored at once, or none of them`,
    'stakeport signals import model.csv --name elo-2 --expires 2h',
  )
    .argument('<file>', 'the file; - for standard input')
    .option('--name <name>', 'the name of the model, where no column has it')
    .option('--expires <when>', `${WHEN}, where no column has it`, momentOrDurationOption)
    .option(...SOURCE)
    .option(...VENUE)
    .action(async (file: string, options: ImportOptions) => {
      const models = signalsByModel(await fileText(file, terminal), options, momentOrDurationOption);
      await withServer(options, async (api) => {
        let stored = 0;
        for (const [name, signals] of models)
          for (let from = 0; from < signals.length; from += SIGNALS_AT_ONCE) {
            const said = await storedSignals(api, name, signals.slice(from, from + SIGNALS_AT_ONCE), stored);
            stored += said.length;
            if (options.json === true) print(said.map((signal) => JSON.stringify(signal)).join('\n'));
          }
        if (options.json !== true) print(`${stored} signals of ${[...models.keys()].join(', ')} are stored.`);
      });
    });
}

/** Stores all of them, or none; `before` is how many others were stored already. */
async function storedSignals(
  api: ApiClient,
  name: string,
  signals: readonly SignalRow[],
  before: number,
): Promise<readonly WireSignal[]> {
  try {
    const path = `${LIST}/${segment(name)}`;
    const request = { method: 'PUT', path, body: { signals } } as const;
    return (await api.request<{ readonly data: readonly WireSignal[] }>(request)).body.data;
  } catch (error) {
    throw before === 0 || !(error instanceof CommandFailed) ? error : afterSome(error, before);
  }
}

const afterSome = ({ message, exit, cause }: CommandFailed, stored: number) =>
  new CommandFailed(
    `${message} The ${stored} signals before were stored; running it again changes nothing of them.`,
    exit,
    cause,
  );

const wrong = (words: string): CommandFailed => new CommandFailed(`${inOneLine(words)} Nothing was sent.`, EXIT.usage);

/** @throws CommandFailed where a pair is none, or an outcome is named twice */
function probabilitiesIn(said: readonly string[]): Readonly<Record<string, string>> {
  const pairs = said.map((text) => /^(.+)=([^=]+)$/s.exec(text));
  const named = pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? ''] as const]));
  const names = new Set(named.map(([name]) => name));
  if (names.size === said.length) return Object.fromEntries(named);
  throw wrong('Say each outcome once, with its probability, such as Home=0.57.');
}

const signalShown = (signal: WireSignal): string => detailsOf(detailsOfSignal(signal));

function detailsOfSignal({ name, market_id: market, probabilities, ...signal }: WireSignal): readonly Detail[] {
  return [
    ['model', name],
    ['market', market],
    ...Object.entries(probabilities),
    ['expires', momentShown(signal.expires_at)],
    ['source', signal.source],
    ['put', momentShown(signal.updated_at)],
  ];
}
