import type { Answered, Delivery, NotSent, Silence } from './send-once.js';

const WORDS: Readonly<Record<NotSent['reason'] | Silence['reason'], string>> = {
  unreachable: 'cannot be reached',
  connect_timeout: 'cannot be reached',
  tls_failed: 'does not prove who it is',
  throttled: 'must not be asked so often',
  late: 'did not answer in time',
  timeout: 'did not answer in time',
  aborted: 'is no longer asked',
  withdrawn: 'is no longer asked',
  malformed: 'cannot be asked this',
  connection_lost: 'cannot be reached',
  answer_too_large: 'sent more than is read of it',
  answer_malformed: 'cannot be reached',
};

/** What a host failed to do, in words that follow its name and hold nothing that it sent. */
export function deliveryFailureOf(delivery: Delivery): string {
  if (delivery.kind !== 'answered') return WORDS[delivery.reason];
  return `answered with status ${delivery.status}${isPage(delivery) ? ' and a page' : ''}`;
}

/** True of what is for people, such as a gateway's word in place of the host's. */
export function isPage({ headers }: Pick<Answered, 'headers'>): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/html');
}
