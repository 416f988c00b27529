import type { Caller } from '../caller.js';
import type { StillServer } from '../program.js';
import type { Transcript } from '../transcript.js';

export const ORDERS = '/v1/exchange/orders';
export const STRATEGIES = '/v1/strategies';

/** What a story works with. */
export interface Fixture {
  readonly transcript: Transcript;
  readonly api: Caller;
  readonly server: StillServer;
}

export const id = (record: Readonly<Record<string, unknown>>): string => String(record['id']);
