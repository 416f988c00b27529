import type { Command } from 'commander';
import type { WireEvent, WireEventPage } from '../../adapters/http/answers.js';
import { print } from '../print.js';
import type { ApiClient } from './client/api-client.js';
import { EventFollower } from './client/event-follower.js';
import { momentShown } from './output/shown.js';
import { rowOfTable, type TableColumn, tableOf } from './output/table.js';
import { withOptions } from './page-options.js';
import { aside, type RemoteOptions, remoteCommand, withServer } from './remote-command.js';

interface EventOptions extends RemoteOptions {
  readonly follow?: boolean;
  readonly after?: string;
  readonly types?: string;
  readonly limit: string;
}

const PATH = '/v1/events';
/** Enough for a year of trading and the longest type. */
const WIDTHS = [8, 20, 24, 0] as const;

const COLUMNS: readonly TableColumn<WireEvent>[] = [
  { title: 'seq', of: ({ seq }) => seq, right: true },
  { title: 'at', of: ({ at }) => momentShown(at) },
  { title: 'type', of: ({ type }) => type },
  { title: 'what', of: ({ text }) => text, most: 240 },
];

/** `stakeport events`. */
export function eventsCommand(): Command {
  const command = remoteCommand(
    'events',
    'show what happened to the account last, with --follow also what happens from now on, until ^C',
    'stakeport events --follow',
    'stakeport events --follow --types order.fill,order.settled --after 41 --json',
  ).option('--limit <count>', 'look at so many of the last events, from 1 to 100', '20');
  return withOptions(command, [
    ['--follow', 'go on with each event as it happens; a connection that breaks is made again and misses none'],
    ['--after <seq>', 'begin after this event instead of with the last ones; 0 is the first'],
    ['--types <list>', 'only of these types, separated by commas, such as order.fill,order.settled'],
  ]).action((options: EventOptions) =>
    withServer(options, (api) => (options.follow === true ? following(api, options) : listing(api, options))),
  );
}

async function listing(api: ApiClient, options: EventOptions): Promise<void> {
  const { types, limit } = options;
  const query = { after: await beginning(api, options), types, limit };
  const { text, body } = await api.request<WireEventPage>({ path: PATH, query });
  if (options.json === true) return print(text);
  print(tableOf(COLUMNS, body.data, 'No events.'));
  if (body.next_after !== body.head) aside(`There are more: --after ${body.next_after}`, options);
}

async function following(api: ApiClient, options: EventOptions): Promise<void> {
  const query = { after: await beginning(api, options), types: options.types };
  const follower = new EventFollower(api, query, (words) => process.stderr.write(`${words}\n`));
  for await (const { event, text } of follower.events()) {
    // As with `| head`: nobody reads any more.
    if (!process.stdout.writable) return;
    print(options.json === true ? text : rowOfTable(COLUMNS, WIDTHS, event));
  }
}

/** The number to start after; asks the server in any case, so that a wrong key or an unknown type is reported at once. */
async function beginning(api: ApiClient, { after, types, limit }: EventOptions): Promise<string> {
  const { body } = await api.request<WireEventPage>({ path: PATH, query: { after, types, limit: '1' } });
  if (after !== undefined) return after;
  const oldest = await api.request<WireEventPage>({ path: PATH, query: { limit: '1' } });
  const floor = Number(oldest.body.data[0]?.seq ?? '1') - 1;
  return `${Math.max(floor, Number(body.head) - (Number(limit) || 0), 0)}`;
}
