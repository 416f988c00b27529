import type { Messengers } from '../../ports/messenger.js';
import type { LocalTime } from '../../ports/system.js';
import type { ReadEvents } from './accounts/read-events.js';
import type { ReadPortfolio } from './accounts/read-portfolio.js';
import type { MessageParts } from './endpoints/background/message-parts.js';
import { ReadNews } from './endpoints/background/read-news.js';
import { SendMessages } from './endpoints/background/send-messages.js';
import { SummariseDay } from './endpoints/background/summarise-day.js';
import { PersonRecords } from './endpoints/subscribe-person.js';
import type { UseCasePorts } from './use-case-ports.js';

/** What messages to people need beside the ports of every use case. */
export interface MessagePorts {
  readonly messengers: Messengers;
  readonly localTime: LocalTime;
  /** The zone of a person who names none. */
  readonly zone: string;
}

/** The sources of what messages report about an account. */
export interface AccountReaders {
  readonly events: ReadEvents;
  readonly portfolio: ReadPortfolio;
}

/** Makes the use case that sends messages to people. */
export function messageUseCase(
  { ledger, wallClock }: Pick<UseCasePorts, 'ledger' | 'wallClock'>,
  { events, portfolio }: AccountReaders,
  parts: MessagePorts & Pick<MessageParts, 'open' | 'codeOf'> & Partial<Pick<MessageParts, 'store'>>,
): SendMessages {
  const news = new ReadNews(ledger, events);
  const summary = new SummariseDay(ledger, events, portfolio);
  return new SendMessages({ store: new PersonRecords(ledger), ...parts, news, summary, wallClock });
}
