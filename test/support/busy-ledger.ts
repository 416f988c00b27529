import type { MemoryLedger } from '../../src/adapters/memory/index.js';

/** The ledger of a trader who trades right before every read. */
export function busyLedger(ledger: MemoryLedger, trade: () => Promise<unknown>): MemoryLedger {
  const get = (target: MemoryLedger, name: string | symbol) => {
    const member: unknown = Reflect.get(target, name);
    if (typeof member !== 'function') return member;
    return async (...args: unknown[]) => {
      await trade();
      return member.apply(target, args);
    };
  };
  return new Proxy(ledger, { get });
}

/** Buys first, then alternately sells and buys the same amount. */
export function inTurn(deal: (side: 'BUY' | 'SELL') => Promise<unknown>): () => Promise<unknown> {
  let deals = 0;
  return () => {
    deals += 1;
    return deal(deals % 2 === 1 ? 'BUY' : 'SELL');
  };
}
