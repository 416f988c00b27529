import { randomUUID } from 'node:crypto';
import type { AccountId, MarketId, StrategyId } from '../../src/core/ids.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { MARKETS, ORDER, ORDERS, PORTFOLIO, SIGNAL, SIGNALS, STRATEGIES, STRATEGY } from '../support/app.js';
import { NOBODY } from '../support/app-webhooks.js';
import { aBet, anApproval } from '../support/builders-of-bets.js';
import type { Client, Reply } from '../support/http.js';
import type { Operation } from './operations.js';

/** What an operation is sent; one that is not named here is sent nothing, or an empty object. */
export const BODIES: Readonly<Record<string, object>> = {
  createStrategy: STRATEGY,
  placeOrder: ORDER,
  updateStrategy: { name: 'Taken over' },
  setTradingState: { scope: 'account', state: 'halted', reason: 'Enough', stops: 'live' },
  validateStrategy: STRATEGY,
  evaluateDraft: { strategy: STRATEGY },
  putSignal: SIGNAL,
  createWebhook: { url: NOBODY, types: ['order.fill'] },
  changeWebhook: { description: 'Taken over' },
  replayWebhook: { after: '0' },
  putSignals: { signals: [{ market_id: ORDER.market_id, ...SIGNAL }] },
};

/** The query without which an operation answers nothing. */
const QUERIES: Readonly<Record<string, string>> = { streamMarkets: `?market=${ORDER.market_id}` };

/** A fresh record of this account, of the kind that the path names. A new kind of path must be added here. */
export async function recordFor(path: string, owner: Client): Promise<string> {
  const [, collection = ''] = /^(.*?)\/\{/.exec(path) ?? [];
  if (collection === MARKETS) return ORDER.market_id;
  if (collection === SIGNALS) return signalFor(path, owner);
  const body = new Map<string, object>([
    [STRATEGIES, STRATEGY],
    [ORDERS, ORDER],
  ]).get(collection);
  if (body === undefined) throw new Error(`There is no rule for making what ${path} names`);
  return (await owner.post(collection, body)).json<{ id: string }>().id;
}

/** A bet of this account, on record as if one of its strategies had decided on it. */
export async function decisionOf(name: string, ledger: Pick<Ledger, 'write'>): Promise<string> {
  const account = name as AccountId;
  const { id, ...bet } = aBet({ account });
  return ledger.write({ account }, () => ({ result: id, decisions: [{ ...bet, id }] }));
}

/** A bet of this account that waits for approval, on record as if one of its strategies had asked for it. */
export async function approvalOf(name: string, owner: Client, ledger: Pick<Ledger, 'write'>): Promise<string> {
  const account = name as AccountId;
  const rules = { ...STRATEGY.rules, outcome: { role: 'home' } };
  const made = await owner.post(STRATEGIES, { ...STRATEGY, rules, automation: 'approve' });
  const strategyId = made.json<{ id: StrategyId }>().id;
  const decision = aBet({ account, strategyId, marketId: ORDER.market_id as MarketId, orderId: null });
  const approval = anApproval({ account, decision, expiresAt: new Date(Date.now() + 600_000) });
  return ledger.write({ account }, () => ({ result: approval.id, approvals: [approval] }));
}

async function signalFor(path: string, owner: Client): Promise<string> {
  const name = randomUUID();
  await owner.put(`${SIGNALS}/${name}/${ORDER.market_id}`, SIGNAL);
  return path.includes('}/{') ? `${name}/${ORDER.market_id}` : name;
}

/** What the path could name and does not. */
export const nothing = (path: string): string =>
  path.includes('}/{') ? `${randomUUID()}/${ORDER.market_id}` : randomUUID();

/** Sends the operation, with this in its path. */
export function ask(client: Client, { method, path, operationId, body }: Operation, id: string): Promise<Reply> {
  const sent = body ? (BODIES[operationId] ?? {}) : undefined;
  return client.send(method, path.replace(/\{\w+\}(\/\{\w+\})?/, id) + (QUERIES[operationId] ?? ''), {
    body: sent,
    headers: { 'x-request-id': 'the-same' },
  });
}

/** A cursor that begins with the first record there could be: the newest, or the lowest name. */
export function latest(path: string): string {
  const keys = [
    [PORTFOLIO, '99999999999999'],
    [SIGNALS, '-/a/-'],
    ['/v1/trading', '999999999'],
    ['/v1/results', 'a'],
  ] as const;
  const [, key] = keys.find(([start]) => path.startsWith(start)) ?? ['', 'ffffffff-ffff-7fff-bfff-ffffffffffff'];
  return Buffer.from(key).toString('base64url');
}

/** An answer without its date. */
export const answerOf = ({ status, headers: { date: _, ...headers }, text }: Reply) => ({ status, headers, text });
