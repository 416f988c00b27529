import { sha256 } from '../../src/adapters/system/system.js';
import type { OrderContext } from '../../src/core/posting/trading-stop.js';
import { type AccountAudit, AuditBooks } from '../../src/core/usecases/accounts/audit-books.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { openExistingStore } from '../../src/server/wiring/existing-store.js';
import { price, shares, usdc } from './builders.js';
import { restingFixture } from './resting-fixture.js';
import type { ScriptedExchange } from './scripted-exchange.js';

/** Paper orders are decided in this process, as in every server. */
const PAPER_HERE: OrderContext['venues'] = { isLocal: ({ paper }) => paper };

/** Where orders are decided; null for a command, which does not know. */
type Known = OrderContext['venues'] | null;

/** The findings of an audit of the ledger about each account. */
export async function audited(ledger: Ledger, venues: Known = PAPER_HERE): Promise<readonly AccountAudit[]> {
  const all: AccountAudit[] = [];
  for await (const one of new AuditBooks(ledger, { digest: sha256, venues }).execute()) all.push(one);
  return all;
}

/** The findings, each as its check and its subject. */
export async function found(ledger: Ledger, venues: Known = PAPER_HERE): Promise<readonly string[]> {
  const findings = (await audited(ledger, venues)).flatMap((one) => one.findings);
  return findings.map(({ check, about }) => `${check} ${about ?? 'account'}`);
}

/** Nothing, or what is wrong in the books of a database, as `stakeport audit` finds it beside its server. */
export async function booksWrong(url: string): Promise<string> {
  const ledger = await openExistingStore(url);
  try {
    const all = await audited(ledger, null);
    return all
      .flatMap(({ findings, busy }) => [...findings.map(({ message }) => message), ...(busy ? ['busy'] : [])])
      .join('\n');
  } finally {
    await ledger.close();
  }
}

/** Alice buys with a strategy and sells a part; a sale and a purchase of hers stay open, half filled. */
export async function view(paper?: ScriptedExchange) {
  const { trader, fill, undo, done } = restingFixture('1000', paper);
  const { ledger } = trader;
  const strategy = await trader.strategy();
  const strategyId = strategy.id;
  const bought = await done({ strategyId }, { fee: usdc('0.1'), tradeId: 'bought' });
  const selling = await trader.place({ side: 'SELL', price: price('0.6'), size: usdc('6'), strategyId });
  await fill(selling, { shares: shares('3'), price: price('0.7'), fee: usdc('0.01') });
  const buying = await trader.place({ outcome: 'NO', price: price('0.3'), size: usdc('9'), strategyId });
  await fill(buying, { shares: shares('7'), price: price('0.3') });
  const { settle } = trader.use.markets;
  return { trader, ledger, fill, undo, done, settle, strategy, bought, selling, buying };
}
