import type { ChatBot } from '../../ports/chat-bot.js';
import type { SecretBox } from '../../ports/webhook-sender.js';
import { AnswerUpdate } from './commands/answer-update.js';
import { ReportHearing } from './commands/background/report-hearing.js';
import { CommandAnswers } from './commands/command-answers.js';
import type { UseCases } from './compose.js';
import type { MessagePorts } from './compose-messages.js';
import { SummariseDay } from './endpoints/background/summarise-day.js';
import { SendToPerson } from './endpoints/send-to-person.js';
import { PersonRecords } from './endpoints/subscribe-person.js';
import type { UseCasePorts } from './use-case-ports.js';

/** What commands from chats need beside the ports of every use case. */
export interface CommandPorts {
  readonly box: Pick<SecretBox, 'open' | 'codeOf'>;
  readonly bot: ChatBot;
  readonly messages: MessagePorts;
}

/** Makes the use case that answers what people send to a bot. */
export function commandUseCase(
  ports: Pick<UseCasePorts, 'ledger' | 'wallClock' | 'ids'>,
  { accounts, approvals, trading }: Pick<UseCases, 'accounts' | 'approvals' | 'trading'>,
  { box, bot, messages }: CommandPorts,
): AnswerUpdate {
  const { ledger, wallClock } = ports;
  const open = (sealed: string) => box.open(sealed);
  const people = new SendToPerson({ ...messages, store: new PersonRecords(ledger), wallClock, open });
  const { events, portfolio } = accounts;
  const summary = new SummariseDay(ledger, events, portfolio);
  const sources = {
    ...messages,
    ledger,
    wallClock,
    portfolio,
    summary,
    trading: trading.read,
    approvals: approvals.read,
  };
  return new AnswerUpdate({
    ...ports,
    bot,
    people,
    answers: new CommandAnswers(sources),
    approve: approvals.approve,
    reject: approvals.reject,
    halt: trading.set,
    codeOf: (text) => box.codeOf(text),
  });
}

/** Makes the use case that reports whether what people send to a bot is heard. */
export const hearingUseCase = ({ ledger, wallClock }: Pick<UseCasePorts, 'ledger' | 'wallClock'>): ReportHearing =>
  new ReportHearing(ledger, wallClock);
