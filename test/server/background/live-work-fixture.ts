import { afterEach } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { Order } from '../../../src/core/order/order.js';
import type { Reconciliation } from '../../../src/core/order/reconciliation.js';
import type { AccountListener, MassStatus } from '../../../src/ports/venue-adapter.js';
import { LiveWork } from '../../../src/server/background/live-work.js';
import { createLogger } from '../../../src/server/http/log.js';
import type { LiveVenue } from '../../../src/server/wiring/live-venue.js';
import { ManualTimeline } from '../../support/scripted-market.js';

const NOTHING = { changed: 0, external: [], contradictions: [], failures: [] };
export const WHOLE: Reconciliation = { complete: true, unread: null, ...NOTHING };
export const PART: Reconciliation = { complete: false, unread: 'half a page', ...NOTHING };
const opened: LiveWork[] = [];

afterEach(async () => {
  for (const work of opened.splice(0)) await work.close();
});

/** Lets work that is not awaited finish. */
export const settle = () => new Promise(setImmediate);
export const message = (name: string) => ({ kind: 'mass_status', named: [], name }) as unknown as MassStatus;

/** Live work whose sweeps come to these, one after another and then whole; everything that it does is noted in order. */
export function aFixture(sweeps: (Reconciliation | Error)[] = [], ledger = new MemoryLedger()) {
  const timeline = new ManualTimeline();
  const [done, since, lines]: [string[], Date[], string[]] = [[], [], []];
  const listeners: AccountListener[] = [];
  const takes = new Map<string, Promise<Reconciliation>>();
  /** What the next sweeps wait for. */
  const held: Promise<void>[] = [];
  const withheld: (() => boolean)[] = [];
  const others: string[] = [];
  const venue = {
    exchange: { venue: 'polymarket' },
    wallet: {
      address: '0xa11ce',
      chosenBy: 'the key and POLYMARKET_FUNDER',
      isOwn: ({ id }: Order) => !others.includes(id),
    },
    withholdWhile: (isWithheld: () => boolean) => void withheld.push(isWithheld),
    listen: (listener: AccountListener) => void listeners.push(listener),
    close: async () => void done.push('left'),
  } as unknown as LiveVenue;
  const reconcile = {
    execute: async (from: Date) => {
      done.push('sweep');
      since.push(from);
      await settle();
      await held.shift();
      const found = sweeps.shift() ?? WHOLE;
      if (found instanceof Error) throw found;
      return found;
    },
    take: async (massStatus: MassStatus) => {
      const { name } = massStatus as unknown as { name: string };
      done.push(name);
      return (await takes.get(name)) ?? WHOLE;
    },
  };
  const lookAfter = { execute: async () => done.push('look after') - done.length };
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const work = new LiveWork(venue, { reconcile, lookAfter, ledger, bookmarks: ledger }, timeline, logger);
  opened.push(work);
  const said = (words: string) => lines.filter((line) => line.includes(words)).length;
  const report = (name: string) => listeners[0]?.received(message(name));
  return {
    work,
    timeline,
    done,
    since,
    takes,
    held,
    ledger,
    said,
    report,
    withheld,
    others,
    gap: () => listeners[0]?.gap(),
  };
}
