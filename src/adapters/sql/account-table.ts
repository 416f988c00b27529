import type { ApiKey } from '../../core/access/api-key.js';
import { AUTH_SCOPES } from '../../core/access/principal.js';
import type { Account, Balance, Halt } from '../../core/account/account.js';
import type { Position } from '../../core/account/position.js';
import type { AccountId, MarketId, StrategyId } from '../../core/ids.js';
import type { RequestRecord, RequestRoute } from '../../core/ledger/request.js';
import type { OutcomeSide } from '../../core/market/market.js';
import type { Shares, Usdc } from '../../core/money.js';
import { amount, type Cell, flag, moment, optional, stamp, text } from './cells.js';
import type { Table } from './tables.js';

/** The accounts that have ever written; their rows are what writers lock. */
export const ACCOUNTS: Table<Account> = {
  name: 'accounts',
  columns: { id: 'text', live_enabled: 'boolean', halt_code: 'text', halt_message: 'text', halted_at: 'text' },
  key: ['id'],
  replaced: ['live_enabled', 'halt_code', 'halt_message', 'halted_at'],
  encode: ({ id, liveEnabled, halt }) => [
    ...[id, liveEnabled],
    ...[halt?.code ?? null, halt?.message ?? null, stamp(halt?.at ?? null)],
  ],
  decode: ([id, liveEnabled, code, message, haltedAt]) => ({
    id: text(id) as AccountId,
    liveEnabled: flag(liveEnabled),
    halt: optional<Halt>(code, (known) => ({ code: text(known), message: text(message), at: moment(haltedAt) })),
  }),
};

/** Cash, paper and live apart. */
export const BALANCES: Table<Balance> = {
  name: 'balances',
  columns: { account: 'text', paper: 'boolean', cash: 'integer', reserved: 'integer', outstanding: 'integer' },
  key: ['account', 'paper'],
  replaced: ['cash', 'reserved', 'outstanding'],
  encode: ({ account, paper, cash, reserved, outstanding }) => [
    ...[account, paper],
    ...[Number(cash), Number(reserved), Number(outstanding)],
  ],
  decode: ([account, paper, cash, reserved, outstanding]) => ({
    account: text(account) as AccountId,
    paper: flag(paper),
    cash: amount(cash) as Usdc,
    reserved: amount(reserved) as Usdc,
    outstanding: amount(outstanding) as Shares,
  }),
};

/** The strategy of a position that is the whole account's: a key column cannot be null. */
export const WHOLE_ACCOUNT = '';

/** Shares held. */
export const POSITIONS: Table<Position> = {
  name: 'positions',
  columns: {
    account: 'text',
    paper: 'boolean',
    market_id: 'text',
    token: 'text',
    strategy_id: 'text',
    shares: 'integer',
    reserved: 'integer',
    cost: 'integer',
    fees: 'integer',
    realised: 'integer',
    settled: 'integer',
    returned: 'integer',
    redeemable: 'integer',
  },
  key: ['account', 'paper', 'market_id', 'token', 'strategy_id'],
  replaced: ['shares', 'reserved', 'cost', 'fees', 'realised', 'settled', 'returned', 'redeemable'],
  encode: (position) => {
    const { account, paper, marketId, token, strategyId, shares, reserved, cost } = position;
    const { fees, realised, settled, returned, redeemable } = position;
    return [
      ...[account, paper, marketId, token, strategyId ?? WHOLE_ACCOUNT],
      ...[Number(shares), Number(reserved), Number(cost)],
      ...[Number(fees), Number(realised), Number(settled), Number(returned), Number(redeemable)],
    ];
  },
  decode: ([account, paper, marketId, token, strategyId, shares, reserved, cost, ...results]) => ({
    account: text(account) as AccountId,
    paper: flag(paper),
    marketId: text(marketId) as MarketId,
    token: text(token) as OutcomeSide,
    strategyId: strategyId === WHOLE_ACCOUNT ? null : (text(strategyId) as StrategyId),
    shares: amount(shares) as Shares,
    reserved: amount(reserved) as Shares,
    cost: amount(cost) as Usdc,
    ...decodeResults(results),
  }),
};

function decodeResults([fees, realised, settled, returned, redeemable]: readonly Cell[]) {
  return {
    fees: amount(fees) as Usdc,
    realised: amount(realised) as Usdc,
    settled: amount(settled) as Shares,
    returned: amount(returned) as Usdc,
    redeemable: amount(redeemable) as Usdc,
  };
}

/** Idempotency keys that were used. A record is replaced only after it expired: the core refuses before that. */
export const REQUESTS: Table<RequestRecord> = {
  name: 'requests',
  columns: {
    account: 'text',
    route: 'text',
    key: 'text',
    meaning: 'text',
    resource: 'text',
    created_at: 'text',
    expires_at: 'text',
  },
  key: ['account', 'route', 'key'],
  replaced: ['meaning', 'resource', 'created_at', 'expires_at'],
  encode: ({ account, route, key, meaning, resource, createdAt, expiresAt }) => [
    ...[account, route, key, meaning, resource],
    ...[stamp(createdAt), stamp(expiresAt)],
  ],
  decode: ([account, route, key, meaning, resource, createdAt, expiresAt]) => ({
    account: text(account) as AccountId,
    route: text(route) as RequestRoute,
    key: text(key),
    meaning: text(meaning),
    resource: text(resource),
    createdAt: moment(createdAt),
    expiresAt: optional(expiresAt, moment),
  }),
};

/** API keys of all accounts. A scope that this version does not know gives no right. */
export const API_KEYS: Table<ApiKey> = {
  name: 'api_keys',
  columns: {
    id: 'text',
    account: 'text',
    scopes: 'text',
    digest: 'text',
    created_at: 'text',
    expires_at: 'text',
    revoked_at: 'text',
  },
  key: ['id'],
  replaced: 'never',
  encode: ({ id, account, scopes, digest, createdAt, expiresAt, revokedAt }) => [
    ...[id, account, scopes.join(' '), digest],
    ...[stamp(createdAt), stamp(expiresAt), stamp(revokedAt)],
  ],
  decode: ([id, account, scopes, digest, createdAt, expiresAt, revokedAt]) => {
    const given = text(scopes).split(' ');
    return {
      id: text(id),
      account: text(account) as AccountId,
      scopes: AUTH_SCOPES.filter((scope) => given.includes(scope)),
      digest: text(digest),
      createdAt: moment(createdAt),
      expiresAt: optional(expiresAt, moment),
      revokedAt: optional(revokedAt, moment),
    };
  },
};
