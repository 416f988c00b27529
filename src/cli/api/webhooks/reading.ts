import type { Command } from 'commander';
import type { WireDelivery, WireList, WireWebhookStatus } from '../client/wire.js';
import { momentShown } from '../output/shown.js';
import { detailsOf, type TableColumn, tableOf } from '../output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, segment, withOptions } from '../page-options.js';
import { type RemoteOptions, remoteCommand, show } from '../remote-command.js';
import {
  detailsOfStatus,
  NO_WEBHOOK,
  NO_WEBHOOKS,
  WEBHOOK_COLUMNS,
  WEBHOOK_ID,
  WEBHOOKS_PATH,
} from './webhook-output.js';

const SAID_WIDTH = 60;

const COLUMNS: readonly TableColumn<WireDelivery>[] = [
  { title: 'seq', of: ({ seq }) => seq, right: true },
  { title: 'type', of: ({ type }) => type },
  { title: 'state', of: ({ state }) => state, painted: true },
  { title: 'tries', of: ({ tries }) => tries, right: true },
  { title: 'last try', of: ({ tried_at: at }) => momentShown(at) },
  { title: 'next try', of: ({ next_at: at }) => momentShown(at) },
  { title: 'status', of: ({ status }) => status, right: true },
  { title: 'said', of: ({ said }) => said, most: SAID_WIDTH },
];

/** `stakeport webhooks` and `stakeport webhooks list`. */
export function listCommand(): Command {
  return remoteCommand(
    'list',
    'list the webhooks of the account, oldest first; also without a verb',
    'stakeport webhooks list',
  ).action((options: RemoteOptions) =>
    show<{ data: readonly WireWebhookStatus[] }>(options, { path: WEBHOOKS_PATH, missing: NO_WEBHOOKS }, ({ data }) =>
      tableOf(WEBHOOK_COLUMNS, data, 'No webhooks.'),
    ),
  );
}

/** `stakeport webhooks show ID`. */
export function showCommand(): Command {
  return remoteCommand(
    'show',
    'show a webhook, and how far it has come',
    'stakeport webhooks show 01a1fda4-6ddc-764a-baa1-d184dfa92254',
  )
    .argument(...WEBHOOK_ID)
    .action((id: string, options: RemoteOptions) =>
      show<WireWebhookStatus>(options, { path: `${WEBHOOKS_PATH}/${segment(id)}`, missing: NO_WEBHOOK }, (webhook) =>
        detailsOf(detailsOfStatus(webhook)),
      ),
    );
}

/** `stakeport webhooks deliveries ID`, or `failures`. */
export function deliveriesCommand(): Command {
  const command = remoteCommand(
    'deliveries',
    'list what the receiver of a webhook did not take, newest first: tried again, or given up',
    'stakeport webhooks deliveries 01a1fda4-6ddc-764a-baa1-d184dfa92254',
  )
    .alias('failures')
    .argument(...WEBHOOK_ID);
  return withOptions(command, PAGE_OPTIONS).action((id: string, options: RemoteOptions & PageOptions) => {
    const path = `${WEBHOOKS_PATH}/${segment(id)}/deliveries`;
    return show<WireList<WireDelivery>>(options, { path, query: pageQuery(options), missing: NO_WEBHOOK }, ({ data }) =>
      tableOf(COLUMNS, data, 'Nothing failed, or what failed was taken since.'),
    );
  });
}
