import { Command } from 'commander';
import type { WireDelivery, WireList, WireWebhook, WireWebhookStatus } from '../../../adapters/http/answers.js';
import { shortId } from '../../../core/ids.js';
import { CommandFailed, EXIT } from '../../../server/failures/exit.js';
import { print } from '../../print.js';
import type { ApiClient } from '../client/api-client.js';
import { type ConfirmedOptions, runKey } from '../confirmation.js';
import { WEBHOOK } from '../known-id.js';
import { momentShown } from '../output/shown.js';
import { detailsOf, type TableColumn, tableOf } from '../output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, withOptions } from '../page-options.js';
import { aside, type RemoteOptions, remoteCommand, show, withServer } from '../remote-command.js';
import type { Terminal } from '../terminal.js';
import {
  addCommand,
  changeCommand,
  disableCommand,
  enableCommand,
  pingCommand,
  removeCommand,
  replayCommand,
  rotateCommand,
} from './changing.js';
import {
  askToken,
  orNone,
  type PersonOptions,
  personTermsIn,
  wholeOrNone,
  withCommandsOption,
  withPersonOptions,
} from './person-options.js';
import {
  detailsOfStatus,
  detailsOfWebhook,
  KEY_OPTION,
  NO_WEBHOOKS,
  TERMS,
  type TermsOptions,
  termsIn,
  WEBHOOK_COLUMNS,
  WEBHOOK_ID,
  webhookPath,
} from './webhook-output.js';

/** `stakeport webhooks …`: where events of the account are sent to. Without a verb it lists them. */
export function webhooksCommand(terminal: Terminal): Command {
  const webhooks = new Command('webhooks').description(
    'have events sent to an address of yours as signed requests, or as messages to a person',
  );
  webhooks.addCommand(listCommand(), { isDefault: true });
  const others = [
    showCommand(),
    addCommand(),
    telegramCommand(terminal),
    ntfyCommand(terminal),
    changeCommand(terminal),
    pingCommand(),
    rotateCommand(),
    deliveriesCommand(),
    replayCommand(),
    disableCommand(),
    enableCommand(),
    removeCommand(terminal),
  ];
  for (const command of others) webhooks.addCommand(command);
  return webhooks;
}

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
function listCommand(): Command {
  return remoteCommand(
    'list',
    'list the webhooks of the account, oldest first; also without a verb',
    'stakeport webhooks list',
  ).action((options: RemoteOptions) =>
    show<{ data: readonly WireWebhookStatus[] }>(options, { path: WEBHOOK.path, missing: NO_WEBHOOKS }, ({ data }) =>
      tableOf(WEBHOOK_COLUMNS, data, 'No webhooks.'),
    ),
  );
}

/** `stakeport webhooks show ID`. */
function showCommand(): Command {
  return remoteCommand(
    'show',
    'show a webhook, and how far it has come',
    'stakeport webhooks show 01a1fda4-6ddc-764a-baa1-d184dfa92254',
  )
    .argument(...WEBHOOK_ID)
    .action((id: string, options: RemoteOptions) =>
      show<WireWebhookStatus>(
        options,
        async (api) => ({ path: await webhookPath(api, id), missing: WEBHOOK.missing }),
        (webhook) => detailsOf(detailsOfStatus(webhook)),
      ),
    );
}

/** `stakeport webhooks deliveries ID`, or `failures`. */
function deliveriesCommand(): Command {
  const command = remoteCommand(
    'deliveries',
    'list what the receiver of a webhook did not take, newest first: tried again, or given up',
    'stakeport webhooks deliveries 01a1fda4-6ddc-764a-baa1-d184dfa92254',
  )
    .alias('failures')
    .argument(...WEBHOOK_ID);
  return withOptions(command, PAGE_OPTIONS).action((id: string, options: RemoteOptions & PageOptions) => {
    const request = async (api: ApiClient) => {
      const path = await webhookPath(api, id, '/deliveries');
      return { path, query: pageQuery(options), missing: WEBHOOK.missing };
    };
    return show<WireList<WireDelivery>>(options, request, ({ data }) =>
      tableOf(COLUMNS, data, 'Nothing failed, or what failed was taken since.'),
    );
  });
}

interface MessagingOptions extends ConfirmedOptions, TermsOptions, PersonOptions {
  readonly server?: string;
}

const PUBLIC_NTFY = 'https://ntfy.sh';

/** `stakeport webhooks telegram CHAT`. */
function telegramCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'telegram',
    'send messages to a person by a Telegram bot, whose token is typed without being shown or comes from standard input',
    'stakeport webhooks telegram 4711 --quiet 22:00-07:00 --zone Europe/Berlin < token.txt',
  )
    .argument('<chat>', 'the number of a chat, after -- where it is negative, or the @name of a channel')
    .option('--thread <number>', 'the topic of a group that has topics', wholeOrNone);
  return withCommandsOption(withTerms(command)).action(async (chat: string, options: MessagingOptions) => {
    const token = await askToken(terminal, 'the bot');
    if (token === null) throw new CommandFailed('A Telegram bot needs a token: @BotFather shows it.', EXIT.usage);
    const { thread, commandsFrom } = options;
    const place = { chat_id: chat, thread_id: orNone(thread), commands_from: commandsFrom };
    return addPerson(options, { kind: 'telegram', ...place, token });
  });
}

/** `stakeport webhooks ntfy TOPIC`. */
function ntfyCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'ntfy',
    'send messages to a person by a topic of an ntfy server',
    'stakeport webhooks ntfy bets-f3c1a7d2e9 --summary 08:00',
  )
    .argument('<topic>', 'the topic; where it needs no token, whoever guesses it reads along')
    .option('--server <url>', 'the address of the ntfy server', PUBLIC_NTFY)
    .option('--token', 'ask for an access token, or read it from standard input');
  return withTerms(command).action(async (topic: string, options: MessagingOptions) => {
    const token = options.token === true ? await askToken(terminal, 'the ntfy server') : undefined;
    return addPerson(options, { kind: 'ntfy', url: options.server, topic, token });
  });
}

const withTerms = (command: Command): Command => withOptions(withPersonOptions(command), [...TERMS, KEY_OPTION]);

function addPerson(options: MessagingOptions, target: object): Promise<void> {
  return withServer(options, async (api) => {
    const body = { ...target, ...personTermsIn(options), ...termsIn(options) };
    const request = { method: 'POST', path: WEBHOOK.path, body, key: runKey(options), missing: NO_WEBHOOKS } as const;
    const made = await api.request<WireWebhook>(request);
    print(options.json === true ? made.text : detailsOf(detailsOfWebhook(made.body)));
    if (made.isReplayed) aside('This is what the first request with this key did.', options);
    aside(
      `Nothing is sent until a test message has arrived: stakeport webhooks ping ${shortId(made.body.id)}`,
      options,
    );
  });
}
