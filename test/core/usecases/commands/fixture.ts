import { randomBytes } from 'node:crypto';
import { localTime } from '../../../../src/adapters/system/local-time.js';
import { AesSecretBox } from '../../../../src/adapters/webhooks/index.js';
import { AUTH_SCOPES } from '../../../../src/core/access/principal.js';
import type { Endpoint } from '../../../../src/core/endpoint/endpoint.js';
import { DEFAULT_TERMS } from '../../../../src/core/endpoint/message-terms.js';
import type { CommandChannel } from '../../../../src/core/endpoint/person.js';
import type { CommandGrant } from '../../../../src/core/endpoint/person-target.js';
import type { EndpointId } from '../../../../src/core/ids.js';
import { NEVER, pressToken } from '../../../../src/core/message/press.js';
import { useCases } from '../../../../src/core/usecases/compose.js';
import { commandUseCase } from '../../../../src/core/usecases/compose-commands.js';
import type { UseCasePorts } from '../../../../src/core/usecases/use-case-ports.js';
import type { ChatBot, ChatCommand, ChatPress } from '../../../../src/ports/chat-bot.js';
import type { Ledger } from '../../../../src/ports/ledger.js';
import type { Message } from '../../../../src/ports/messenger.js';
import { ALICE } from '../../../support/builders.js';
import { aWebhook } from '../../../support/builders-of-endpoints.js';

export const [GROUP, ANN, EVE] = ['-100', 4711, 4712];
export const BOX = new AesSecretBox(randomBytes(32));

/** Lets Ann command the account with every right of a development identity. */
export const ANNS: CommandGrant = { users: [ANN], by: 'dev', kind: 'dev', may: [...AUTH_SCOPES] };

/** A bot of which a test sees what it does, and decides who is in its chats. */
export class MemoryBot implements ChatBot {
  readonly toasts: string[] = [];
  readonly cleared: number[] = [];
  readonly left = new Set<number>();

  updates: ChatBot['updates'] = async () => ({ kind: 'updates', updates: [], next: null });
  introduce: ChatBot['introduce'] = async () => {};
  isMember: ChatBot['isMember'] = async (_, __, user) => !this.left.has(user);
  answerPress: ChatBot['answerPress'] = async (_, __, text) => void this.toasts.push(text);
  removeButtons: ChatBot['removeButtons'] = async (_, { messageId }) => void this.cleared.push(messageId);
}

/** Use cases on these ports that people command from a group, and the group. */
export async function commanded(ports: UseCasePorts, grant: CommandGrant | null = ANNS) {
  const bot = new MemoryBot();
  const told: Message[] = [];
  const send = async (_: unknown, __: unknown, message: Message) => {
    told.push(message);
    return { kind: 'delivered' } as const;
  };
  const messenger = { limit: { most: 4096, sizeOf: (text: string) => text.length }, send };
  const messages = { messengers: { telegram: messenger, ntfy: messenger }, localTime, zone: 'UTC' };
  const answer = commandUseCase(ports, useCases(ports), { box: BOX, bot, messages });
  const channel = await stored(ports.ledger, aChannel(grant));
  const hears = { token: 'a token', channels: [channel] };
  let presses = 0;
  return {
    bot,
    told,
    channel,
    answer,
    hears,
    /** What the group was told last, as lines. */
    last: () => told.at(-1)?.text.split('\n') ?? [],
    says: (name: string, changes: Partial<ChatCommand> = {}) =>
      answer.execute(hears, {
        kind: 'command',
        chatId: GROUP,
        threadId: null,
        userId: ANN,
        name,
        at: ports.wallClock.now(),
        ...changes,
      }),
    presses: (data: string, changes: Partial<ChatPress> = {}) => {
      presses += 1;
      const press = { kind: 'press', chatId: GROUP, userId: ANN, id: `${presses}`, messageId: presses } as const;
      return answer.execute(hears, { ...press, others: [], data, ...changes });
    },
    /** The text of the newest button with this label. */
    button: (label: string) => {
      const all = told.flatMap(({ buttons = [] }) => buttons.flat());
      return all.findLast((one) => one.label.startsWith(label))?.data ?? '';
    },
    tokenFor: (action: 'approve' | 'reject', subject: string, of: EndpointId = channel.id) =>
      pressToken(of, { action, subject, until: NEVER }, (text) => BOX.codeOf(text)),
  };
}

/** A group in which these people may command the account; null for nobody. */
export function aChannel(grant: CommandGrant | null = ANNS): CommandChannel {
  const target = { kind: 'telegram', chatId: GROUP, threadId: null, terms: DEFAULT_TERMS } as const;
  const secrets = { current: BOX.seal('a token'), previous: null };
  return aWebhook({ secrets, target: { ...target, ...(grant && { commands: grant }) } }) as CommandChannel;
}

/** Puts an endpoint on record. */
export async function stored<One extends Endpoint>(ledger: Pick<Ledger, 'write'>, endpoint: One): Promise<One> {
  await ledger.write({ account: ALICE, endpoints: true }, () => ({ result: null, endpoints: [endpoint] }));
  return endpoint;
}

/** What was refused, as it is on record. */
export async function refusals({ log }: Pick<Ledger, 'log'>) {
  const events = await log.list(ALICE, { types: ['command.refused'] }, { limit: 100 });
  return events.flatMap(({ subject }) => (subject.kind === 'command' ? [subject.refused] : []));
}
