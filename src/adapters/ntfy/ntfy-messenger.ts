import type { NtfyTarget } from '../../core/endpoint/person-target.js';
import type { TextLimit } from '../../core/message/fit-text.js';
import type { Message, Messenger, SendOutcome } from '../../ports/messenger.js';
import type { GuardedHttp } from '../transport/guarded-http.js';
import { ntfyOutcome } from './ntfy-outcome.js';

/** ntfy counts bytes, and makes an attachment of what is longer. */
const LIMIT: TextLimit = { most: 4096, sizeOf: (text) => Buffer.byteLength(text) };
const PRIORITY = { urgent: 5, usual: 3 };

/**
 * Publishes messages to topics of ntfy servers, as JSON: a header could not hold every letter of a name.
 *
 * @example
 * ```ts
 * import { NtfyMessenger } from 'stakeport/ntfy';
 * import { AddressRule, GuardedHttp } from 'stakeport/webhooks';
 *
 * const ntfy = new NtfyMessenger(new GuardedHttp({ allowHttp: false, addresses: new AddressRule([]) }));
 * ```
 */
export class NtfyMessenger implements Messenger<NtfyTarget> {
  readonly limit = LIMIT;

  /** @param http where users may have requests sent to */
  constructor(private readonly http: Pick<GuardedHttp, 'post'>) {}

  async send({ url, topic }: NtfyTarget, token: string | null, message: Message): Promise<SendOutcome> {
    const { title, text, isUrgent } = message;
    const body = JSON.stringify({
      topic,
      title,
      message: text,
      priority: isUrgent ? PRIORITY.urgent : PRIORITY.usual,
      ...(isUrgent && { tags: ['rotating_light'] }),
    });
    const headers = {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    return ntfyOutcome(await this.http.post({ url: new URL(url), headers, body }), token);
  }
}
