import type { UseCases } from './compose.js';
import type { MessageParts } from './endpoints/background/message-parts.js';
import { ReadNews } from './endpoints/background/read-news.js';
import { SendMessages } from './endpoints/background/send-messages.js';
import { SummariseDay } from './endpoints/background/summarise-day.js';
import type { UseCasePorts } from './use-case-ports.js';

/** Makes the use case that sends messages to people. */
export function messageUseCase(
  { ledger, wallClock }: Pick<UseCasePorts, 'ledger' | 'wallClock'>,
  { accounts }: Pick<UseCases, 'accounts'>,
  parts: Omit<MessageParts, 'news' | 'summary' | 'wallClock'>,
): SendMessages {
  const news = new ReadNews(ledger, accounts.events);
  const summary = new SummariseDay(ledger, accounts.events, accounts.portfolio);
  return new SendMessages({ ...parts, news, summary, wallClock });
}
