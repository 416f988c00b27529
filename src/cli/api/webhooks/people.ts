import type { Command } from 'commander';
import { CommandFailed } from '../../../server/failures/command-failed.js';
import { EXIT } from '../../../server/failures/exit-codes.js';
import { print } from '../../print.js';
import type { WireWebhook } from '../client/wire.js';
import { type ConfirmedOptions, runKey } from '../confirmation.js';
import { detailsOf } from '../output/table.js';
import { withOptions } from '../page-options.js';
import { aside, remoteCommand, withServer } from '../remote-command.js';
import type { Terminal } from '../terminal.js';
import {
  askToken,
  orNone,
  type PersonOptions,
  personTermsIn,
  wholeOrNone,
  withPersonOptions,
} from './person-options.js';
import {
  detailsOfWebhook,
  KEY_OPTION,
  NO_WEBHOOKS,
  TERMS,
  type TermsOptions,
  termsIn,
  WEBHOOKS_PATH,
} from './webhook-output.js';

interface TellingOptions extends ConfirmedOptions, TermsOptions, PersonOptions {
  readonly server?: string;
}

const PUBLIC_NTFY = 'https://ntfy.sh';

/** `stakeport webhooks telegram CHAT`. */
export function telegramCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'telegram',
    'have a person told by a Telegram bot, whose token is typed without being shown or comes from standard input',
    'stakeport webhooks telegram 4711 --quiet 22:00-07:00 --zone Europe/Berlin < token.txt',
  )
    .argument('<chat>', 'the number of a chat, after -- where it is negative, or the @name of a channel')
    .option('--thread <number>', 'the topic of a group that has topics', wholeOrNone);
  return withTerms(command).action(async (chat: string, options: TellingOptions) => {
    const token = await askToken(terminal, 'the bot');
    if (token === null) throw new CommandFailed('A Telegram bot needs a token: @BotFather shows it.', EXIT.usage);
    return told(options, { kind: 'telegram', chat_id: chat, thread_id: orNone(options.thread), token });
  });
}

/** `stakeport webhooks ntfy TOPIC`. */
export function ntfyCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'ntfy',
    'have a person told by a topic of an ntfy server',
    'stakeport webhooks ntfy bets-f3c1a7d2e9 --summary 08:00',
  )
    .argument('<topic>', 'the topic; where it needs no token, whoever guesses it reads along')
    .option('--server <url>', 'the address of the ntfy server', PUBLIC_NTFY)
    .option('--token', 'ask for an access token, or read it from standard input');
  return withTerms(command).action(async (topic: string, options: TellingOptions) => {
    const token = options.token === true ? await askToken(terminal, 'the ntfy server') : undefined;
    return told(options, { kind: 'ntfy', url: options.server, topic, token });
  });
}

const withTerms = (command: Command): Command => withOptions(withPersonOptions(command), [...TERMS, KEY_OPTION]);

function told(options: TellingOptions, target: object): Promise<void> {
  return withServer(options, async (api) => {
    const body = { ...target, ...personTermsIn(options), ...termsIn(options) };
    const request = { method: 'POST', path: WEBHOOKS_PATH, body, key: runKey(options), missing: NO_WEBHOOKS } as const;
    const made = await api.request<WireWebhook>(request);
    print(options.json === true ? made.text : detailsOf(detailsOfWebhook(made.body)));
    if (made.isReplayed) aside('This is what the first request with this key did.', options);
    aside(`Nothing is told until a test message has arrived: stakeport webhooks ping ${made.body.id}`, options);
  });
}
