import type { WireOrderEventWithChange } from '../../adapters/http/answers.js';

/** What a check of the hashes of an order found: how many are right from the first on, and what is wrong with the next one. */
export interface ChainCheck {
  readonly verified: number;
  /** Null where every event has been verified. */
  readonly fault: string | null;
}

/** Computes the hash of every event anew, each from the one before it and the change that the service shows. */
export async function verifyEvents(
  orderId: string,
  events: readonly WireOrderEventWithChange[],
  digest: (text: string) => Promise<string>,
): Promise<ChainCheck> {
  let previous = '';
  for (const [verified, event] of events.entries()) {
    const { seq, at, type, hash, change = '' } = event;
    if (seq !== verified + 1) return { verified, fault: `event ${verified + 1} is missing` };
    if (typeIn(change) !== type) return { verified, fault: `event ${seq} is shown as another than it is` };
    const computed = await digest(`${previous}\n${orderId}\n${seq}\n${at}\n${change}`);
    if (computed !== hash) return { verified, fault: `event ${seq} does not match its hash` };
    previous = hash;
  }
  return { verified: events.length, fault: null };
}

function typeIn(change: string): unknown {
  try {
    return JSON.parse(change).type;
  } catch {
    return undefined;
  }
}

/** SHA-256 of a text, hexadecimal. @throws Error where the page came over plain http from another machine */
export async function sha256Hex(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
