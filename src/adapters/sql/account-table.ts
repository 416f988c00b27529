import type { ApiKey } from '../../core/access/api-key.js';
import { AUTH_SCOPES, type AuthScope } from '../../core/access/principal.js';
import type { Account, Balance, Halt } from '../../core/account/account.js';
import type { Position } from '../../core/account/position.js';
import type { RequestRecord } from '../../core/ledger/request.js';
import { as, document, either, flag, micro, moment, orEmpty, orNull, text } from './columns.js';
import { table } from './table.js';

/** The accounts that have ever written; their rows are what writers lock. */
export const ACCOUNTS = table<Account>(
  'accounts',
  {
    id: text(),
    liveEnabled: flag(),
    halt: either<Halt>({
      code: as('halt_code', text()),
      message: as('halt_message', text()),
      at: as('halted_at', moment()),
    }),
  },
  { key: ['id'] },
);

/** Cash: on paper one sum, with real money one for each venue; the venue of what is on paper is the empty text. */
export const BALANCES = table<Balance>(
  'balances',
  {
    account: text(),
    paper: flag(),
    venue: orEmpty(text()),
    cash: micro(),
    reserved: micro(),
    outstanding: micro(),
  },
  { key: ['account', 'paper', 'venue'] },
);

/** The venue of cash on paper, which is one sum for all of them. */
export const ON_PAPER = '';

/** The strategy of what is the whole account's: a column of a key cannot be null. */
export const WHOLE_ACCOUNT = '';

/** Shares held; the strategy of a position that is the whole account's is the empty text. */
export const POSITIONS = table<Position>(
  'positions',
  {
    account: text(),
    paper: flag(),
    marketId: text(),
    token: text(),
    strategyId: orEmpty(text()),
    venue: text(),
    shares: micro(),
    reserved: micro(),
    cost: micro(),
    fees: micro(),
    realised: micro(),
    settled: micro(),
    returned: micro(),
    redeemable: micro(),
  },
  { key: ['account', 'paper', 'market_id', 'token', 'strategy_id', 'venue'] },
);

/** Idempotency keys that were used. A record is replaced only after it expired: the core refuses before that. */
export const REQUESTS = table<RequestRecord>(
  'requests',
  {
    account: text(),
    route: text(),
    key: text(),
    meaning: text(),
    resource: text(),
    createdAt: moment(),
    expiresAt: orNull(moment()),
  },
  { key: ['account', 'route', 'key'] },
);

/** A scope that this version does not know gives no right. */
function scopesIn(words: string): readonly AuthScope[] {
  const given = words.split(' ');
  return AUTH_SCOPES.filter((scope) => given.includes(scope));
}

/** API keys of all accounts. */
export const API_KEYS = table<ApiKey>(
  'api_keys',
  {
    id: text(),
    account: text(),
    scopes: document((scopes) => scopes.join(' '), scopesIn),
    digest: text(),
    createdAt: moment(),
    expiresAt: orNull(moment()),
    revokedAt: orNull(moment()),
  },
  { key: ['id'], replaces: 'nothing' },
);
