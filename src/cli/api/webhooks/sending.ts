import type { Command } from 'commander';
import { CommandFailed } from '../../../server/failures/command-failed.js';
import { EXIT } from '../../../server/failures/exit-codes.js';
import { print } from '../../print.js';
import type { WirePing, WireWebhook } from '../client/wire.js';
import { inOneLine } from '../output/shown.js';
import { type Detail, detailsOf } from '../output/table.js';
import { segment } from '../page-options.js';
import { type RemoteOptions, remoteCommand, withServer } from '../remote-command.js';
import { destinationShown, NO_WEBHOOK, printWebhook, WEBHOOK_ID, WEBHOOKS_PATH } from './webhook-output.js';

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
        const path = `${WEBHOOKS_PATH}/${segment(id)}/ping`;
        const { text, body } = await api.request<WirePing>({ method: 'POST', path, missing: NO_WEBHOOK });
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
    const path = `${WEBHOOKS_PATH}/${segment(id)}/replay`;
    const request = { method: 'POST', path, body: { seq, after }, missing: NO_WEBHOOK } as const;
    return withServer(options, async (api) => {
      const answer = await api.request<WireWebhook>(request);
      printWebhook(options, answer, answer.body.state === 'active' ? undefined : LATER);
    });
  });
}

const LATER = 'It is sent once the webhook is active.';

const detailsOfPing = ({ taken, status, said, webhook }: WirePing): readonly Detail[] => [
  ['id', webhook.id],
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
