import type { Answered, Delivery, NotSent, Silence } from './send-once.js';

const WORDS: Readonly<Record<NotSent['reason'] | Silence['reason'], string>> = {
  unreachable: 'cannot be reached',
  connect_timeout: 'cannot be reached',
  tls_failed: 'failed TLS verification',
  throttled: 'is rate-limited',
  late: 'did not answer in time',
  timeout: 'did not answer in time',
  aborted: 'did not answer before the request was aborted',
  withdrawn: 'did not answer before the request was withdrawn',
  malformed: 'cannot be sent this request',
  connection_lost: 'cannot be reached',
  answer_too_large: 'sent an answer that is too large',
  answer_malformed: 'cannot be reached',
};

/** The failure of a host, phrased to follow its name, without anything that it sent. */
export function deliveryFailureOf(delivery: Delivery): string {
  if (delivery.kind !== 'answered') return WORDS[delivery.reason];
  return `answered with status ${delivery.status}${isPage(delivery) ? ' and a page' : ''}`;
}

/** True of a body meant for people, such as a gateway's error page in place of the host's answer. */
export function isPage({ headers }: Pick<Answered, 'headers'>): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/html');
}
