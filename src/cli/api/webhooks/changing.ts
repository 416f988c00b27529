import type { Command } from 'commander';
import type { WirePing, WireWebhook, WireWebhookWithSecret } from '../../../adapters/http/answers.js';
import { shortId } from '../../../core/ids.js';
import { inOneLine } from '../../../core/one-line.js';
import { CommandFailed, EXIT } from '../../../server/failures/exit.js';
import { print } from '../../print.js';
import type { ApiAnswer } from '../client/api-client.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent, runKey } from '../confirmation.js';
import { WEBHOOK } from '../known-id.js';
import { destinationShown } from '../output/shown.js';
import { type Detail, detailsOf } from '../output/table.js';
import { withOptions } from '../page-options.js';
import { aside, type RemoteOptions, remoteCommand, withServer } from '../remote-command.js';
import type { Terminal } from '../terminal.js';
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
  detailsOfWebhook,
  KEY_OPTION,
  NO_WEBHOOKS,
  printWebhook,
  TERMS,
  type TermsOptions,
  termsIn,
  WEBHOOK_ID,
  webhookPath,
} from './webhook-output.js';

interface WebhookOptions extends ConfirmedOptions, TermsOptions, PersonOptions {
  readonly url?: string;
  readonly chat?: string;
  readonly topic?: string;
}

const EXAMPLE = '01a1fda4-6ddc-764a-baa1-d184dfa92254';
const SHOWN_ONCE = 'The secret is shown this once: keep it where the receiver reads it.';

/** `stakeport webhooks add URL`. */
export function addCommand(): Command {
  const command = remoteCommand(
    'add',
    'have events sent to an address; shows, this once, the secret that they are signed with',
    'stakeport webhooks add https://example.org/stakeport --types order.fill,order.settled',
  ).argument('<url>', 'where to send them: https, of the public Internet');
  return withOptions(command, [...TERMS, KEY_OPTION]).action((url: string, options: WebhookOptions) =>
    withServer(options, async (api) => {
      const request = { method: 'POST', path: WEBHOOK.path, body: { url, ...termsIn(options) } } as const;
      const made = await api.request<WireWebhookWithSecret>({ ...request, key: runKey(options), missing: NO_WEBHOOKS });
      printSecret(
        options,
        made,
        `Nothing but pings is sent until one is taken: stakeport webhooks ping ${shortId(made.body.id)}`,
      );
    }),
  );
}

/** `stakeport webhooks change ID`. */
export function changeCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'change',
    'change where a webhook leads, its types, its description or how a person gets messages; what is not named stays',
    `stakeport webhooks change ${EXAMPLE} --types all`,
  )
    .argument(...WEBHOOK_ID)
    .option('--url <url>', 'another address, which has to take a ping first')
    .option('--chat <chat>', 'another chat of the Telegram bot, which has to take a test message first')
    .option('--thread <number>', 'another topic of the group; or none', wholeOrNone)
    .option('--topic <topic>', 'another topic of the ntfy server, which has to take a test message first')
    .option('--token', 'ask for another token of the messenger, or read it from standard input');
  const whole = withCommandsOption(withOptions(withPersonOptions(command), TERMS));
  return whole.action(async (id: string, options: WebhookOptions) => {
    const { url, chat, thread, topic, commandsFrom } = options;
    const place = {
      url,
      chat_id: chat,
      thread_id: orNone(thread),
      commands_from: commandsFrom,
      topic,
      ...personTermsIn(options),
      ...termsIn(options),
    };
    const isNothing = Object.values(place).every((value) => value === undefined);
    if (isNothing && options.token !== true)
      return command.error('error: say what to change, such as --url, --types or --description');
    const token = options.token === true ? await askToken(terminal, 'the messenger') : undefined;
    return changing(options, id, { method: 'PATCH', body: { ...place, token } });
  });
}

/** `stakeport webhooks rotate ID`. */
export function rotateCommand(): Command {
  const command = remoteCommand(
    'rotate',
    'make a new secret, and show it this once; for a day messages are signed with the one before, too',
    `stakeport webhooks rotate ${EXAMPLE}`,
  ).argument(...WEBHOOK_ID);
  return withOptions(command, [KEY_OPTION]).action((id: string, options: ConfirmedOptions) =>
    withServer(options, async (api) => {
      const request = {
        method: 'POST',
        path: await webhookPath(api, id, '/rotate'),
        key: runKey(options),
        missing: WEBHOOK.missing,
      } as const;
      const made = await api.request<WireWebhookWithSecret>(request);
      printSecret(options, made, 'The one before is used for a day more.');
    }),
  );
}

/** `stakeport webhooks disable ID`. */
export function disableCommand(): Command {
  return remoteCommand('disable', 'send a webhook nothing until it is enabled', `stakeport webhooks disable ${EXAMPLE}`)
    .argument(...WEBHOOK_ID)
    .action((id: string, options: RemoteOptions) => changing(options, id, { method: 'POST', below: '/disable' }));
}

/** `stakeport webhooks enable ID`. */
export function enableCommand(): Command {
  return remoteCommand(
    'enable',
    'let a disabled webhook go on where it stopped',
    `stakeport webhooks enable ${EXAMPLE}`,
  )
    .argument(...WEBHOOK_ID)
    .action((id: string, options: RemoteOptions) => changing(options, id, { method: 'POST', below: '/enable' }));
}

/** `stakeport webhooks remove ID`. */
export function removeCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'remove',
    'remove a webhook: it is sent nothing any more, and its secret is forgotten',
    `stakeport webhooks remove ${EXAMPLE}`,
  ).argument(...WEBHOOK_ID);
  const [yes] = CONFIRMED_OPTIONS;
  return withOptions(command, yes === undefined ? [] : [yes]).action((id: string, options: ConfirmedOptions) =>
    withServer(options, async (api) => {
      requireConsent(terminal, options, 'remove this webhook');
      const path = await webhookPath(api, id);
      if (options.yes !== true) {
        const { body } = await api.request<WireWebhook>({ path, missing: WEBHOOK.missing });
        await confirm(terminal, options, { figures: detailsOfWebhook(body), question: 'Remove it?' });
      }
      printWebhook(options, await api.request({ method: 'DELETE', path, missing: WEBHOOK.missing }), 'It is removed.');
    }),
  );
}

interface Change {
  readonly method: 'POST' | 'PATCH';
  readonly below?: string;
  readonly body?: object;
}

function changing(options: RemoteOptions, said: string, { below, ...change }: Change): Promise<void> {
  return withServer(options, async (api) => {
    const path = await webhookPath(api, said, below);
    const answer = await api.request<WireWebhook>({ ...change, path, missing: WEBHOOK.missing });
    const { state, id } = answer.body;
    const isNew = state === 'unverified';
    printWebhook(
      options,
      answer,
      isNew ? `Nothing is sent until a ping is taken: stakeport webhooks ping ${shortId(id)}` : undefined,
    );
  });
}

function printSecret(
  options: RemoteOptions,
  { text, body, isReplayed }: ApiAnswer<WireWebhookWithSecret>,
  next: string,
): void {
  const details = detailsOfWebhook(body);
  print(
    options.json === true ? text : detailsOf(body.secret === null ? details : [...details, ['secret', body.secret]]),
  );
  if (isReplayed) aside('This is what the first request with this key did. Its secret was shown then.', options);
  else aside(SHOWN_ONCE, options);
  aside(next, options);
}

interface ReplayOptions extends RemoteOptions {
  readonly seq?: string;
  readonly after?: string;
}

/** `stakeport webhooks ping ID`. */
export function pingCommand(): Command {
  return remoteCommand(
    'ping',
    'send a test message, once; a new webhook is active from the first that its receiver takes',
    'stakeport webhooks ping 01a1fda4-6ddc-764a-baa1-d184dfa92254',
  )
    .argument(...WEBHOOK_ID)
    .action((id: string, options: RemoteOptions) =>
      withServer(options, async (api) => {
        const path = await webhookPath(api, id, '/ping');
        const { text, body } = await api.request<WirePing>({ method: 'POST', path, missing: WEBHOOK.missing });
        print(options.json === true ? text : detailsOf(detailsOfPing(body)));
        if (!body.taken) throw new CommandFailed(whyNot(body), EXIT.no);
      }),
    );
}

/** `stakeport webhooks replay ID`. */
export function replayCommand(): Command {
  const command = remoteCommand(
    'replay',
    'send events once more, with the ids that they had: one, or all after one',
    'stakeport webhooks replay 01a1fda4-6ddc-764a-baa1-d184dfa92254 --seq 41',
    'stakeport webhooks replay 01a1fda4-6ddc-764a-baa1-d184dfa92254 --after 40',
  )
    .argument(...WEBHOOK_ID)
    .option('--seq <seq>', 'the event with this number, as stakeport events shows it')
    .option('--after <seq>', 'everything that the webhook wants after this event; 0 for all that is kept');
  return command.action((id: string, options: ReplayOptions) => {
    const { seq, after } = options;
    if ((seq === undefined) === (after === undefined)) return command.error('error: say either --seq or --after');
    return withServer(options, async (api) => {
      const path = await webhookPath(api, id, '/replay');
      const request = { method: 'POST', path, body: { seq, after }, missing: WEBHOOK.missing } as const;
      const answer = await api.request<WireWebhook>(request);
      printWebhook(options, answer, answer.body.state === 'active' ? undefined : LATER);
    });
  });
}

const LATER = 'It is sent once the webhook is active.';

const detailsOfPing = ({ taken, status, said, webhook }: WirePing): readonly Detail[] => [
  ['id', shortId(webhook.id)],
  ['to', destinationShown(webhook)],
  ['taken', taken ? 'yes' : 'no'],
  ['state', webhook.state],
  ...(taken
    ? []
    : ([
        ['status', status],
        ['said', said || null],
      ] as const)),
];

function whyNot({ status, said, webhook }: WirePing): string {
  const answer = status === null ? inOneLine(said) : `Its receiver answered ${status}.`;
  if (webhook.kind !== undefined) return `The test message was not delivered: ${answer} Mend that, then ping again.`;
  return `The ping was not taken. ${answer} Mend the receiver, then ping again.`;
}
