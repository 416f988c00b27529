import type { WireWebhookStatus } from '../../adapters/http/answers.js';

/** Where a webhook leads: an address, or how a person is told. */
export const webhookPlace = (row: Pick<WireWebhookStatus, 'kind' | 'url' | 'chat_id' | 'topic'>): string => {
  const { kind, url, chat_id: chat = '', topic = chat } = row;
  return kind === undefined ? (url ?? '') : `${kind} ${topic}`;
};
