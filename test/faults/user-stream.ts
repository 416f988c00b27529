import { expect } from 'vitest';
import { readUserFrame, type UserEvent } from '../../src/adapters/polymarket/websocket/user-wire.js';
import { eventually } from '../support/eventually.js';
import type { Json } from '../support/fake-venue/wire.js';
import type { LiveTrader } from '../support/live-trader.js';

/** The user stream, once the venue knows who listens. `caughtUp` waits until all that was sent is on record. */
export async function listeningAt(live: LiveTrader) {
  const { user } = live.venue;
  const began = user.sent.length;
  const isOurs = (body: Json) => [body['order_owner'], body['trade_owner']].includes(live.credentials.apiKey);
  const stream = await live.listen();
  await eventually(() => expect(user.listeners).toHaveLength(1));
  return {
    ...stream,
    async caughtUp(messages = user.sent.slice(began).filter(isOurs).length * user.copies): Promise<void> {
      await eventually(() => expect(stream.heard()).toBe(messages));
      await stream.taken();
    },
  };
}

/** What a message of the venue says to the owner of this API key. */
export function eventOf(message: Json, { apiKey }: { readonly apiKey: string }): UserEvent {
  const [event] = readUserFrame(JSON.stringify(message), { apiKey });
  if (event == null) throw new Error(`the message cannot be read: ${JSON.stringify(message)}`);
  return event;
}
