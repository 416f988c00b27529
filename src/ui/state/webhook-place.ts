import type { WireWebhookStatus } from '../../adapters/http/answers.js';

/** The destination of a webhook: an address, or how a person is notified. */
export const webhookPlace = (row: Pick<WireWebhookStatus, 'kind' | 'url' | 'chat_id' | 'topic'>): string => {
  const { kind, url, chat_id: chat = '', topic = chat } = row;
  return kind === undefined ? (url ?? '') : `${kind} ${topic}`;
};
