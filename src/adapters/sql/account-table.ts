import type { ApiKey } from '../../core/access/api-key.js';
import { AUTH_SCOPES, type AuthScope } from '../../core/access/principal.js';
import type { Account, Balance, Halt } from '../../core/account/account.js';
import type { Position } from '../../core/account/position.js';
import { alarmsIn, alarmsText } from '../../core/alarm/alarm.js';
import type { RequestRecord } from '../../core/ledger/request.js';
import {
  as,
  countedColumn,
  document,
  either,
  flagColumn,
  limitsColumn,
  lossesColumn,
  microColumn,
  momentColumn,
  orAbsent,
  orEmpty,
  orNull,
  riskColumn,
  textColumn,
  wholeColumn,
} from './columns.js';
import { table } from './table.js';
import { tradingColumn } from './trading-table.js';

/** The accounts that have ever written; their rows are what writers lock. */
export const ACCOUNTS = table<Account>(
  'accounts',
  {
    id: textColumn(),
    liveEnabled: flagColumn(),
    halt: either<Halt>({
      code: as('halt_code', textColumn()),
      message: as('halt_message', textColumn()),
      at: as('halted_at', momentColumn()),
    }),
    limits: limitsColumn(),
    losses: lossesColumn(),
    trading: tradingColumn(),
    alarms: orAbsent(document(alarmsText, alarmsIn)),
    paperResets: orAbsent(wholeColumn()),
  },
  { key: ['id'] },
);

/** Cash: on paper one sum, with real money one for each venue; the venue of what is on paper is the empty text. */
export const BALANCES = table<Balance>(
  'balances',
  {
    account: textColumn(),
    paper: flagColumn(),
    venue: orEmpty(textColumn()),
    cash: microColumn(),
    reserved: microColumn(),
    outstanding: microColumn(),
    counted: countedColumn(),
  },
  { key: ['account', 'paper', 'venue'] },
);

/** The venue of cash on paper, which is one sum for all of them. */
export const ON_PAPER = '';

/** The strategy of a whole account's rows: a column of a key cannot be null. */
export const WHOLE_ACCOUNT = '';

/** Shares held; the strategy of a whole account's position is the empty text. */
export const POSITIONS = table<Position>(
  'positions',
  {
    account: textColumn(),
    paper: flagColumn(),
    marketId: textColumn(),
    outcome: as('token', textColumn()),
    strategyId: orEmpty(textColumn()),
    venue: textColumn(),
    shares: microColumn(),
    reserved: microColumn(),
    cost: microColumn(),
    fees: microColumn(),
    heldFees: orAbsent(microColumn()),
    realised: microColumn(),
    settled: microColumn(),
    returned: microColumn(),
    redeemable: microColumn(),
    wanted: orAbsent(microColumn()),
    risk: riskColumn(),
    entries: orAbsent(document(JSON.stringify, (text): readonly number[] => JSON.parse(text))),
  },
  { key: ['account', 'paper', 'market_id', 'token', 'strategy_id', 'venue'] },
);

/** Idempotency keys that were used. A record is replaced only after it has expired: the core refuses before that. */
export const REQUESTS = table<RequestRecord>(
  'requests',
  {
    account: textColumn(),
    route: textColumn(),
    key: textColumn(),
    meaning: textColumn(),
    resource: textColumn(),
    createdAt: momentColumn(),
    expiresAt: orNull(momentColumn()),
  },
  { key: ['account', 'route', 'key'] },
);

/** A scope that this version does not know grants nothing. */
function scopesIn(words: string): readonly AuthScope[] {
  const given = words.split(' ');
  return AUTH_SCOPES.filter((scope) => given.includes(scope));
}

/** API keys of all accounts. */
export const API_KEYS = table<ApiKey>(
  'api_keys',
  {
    id: textColumn(),
    account: textColumn(),
    scopes: document((scopes) => scopes.join(' '), scopesIn),
    digest: textColumn(),
    createdAt: momentColumn(),
    expiresAt: orNull(momentColumn()),
    revokedAt: orNull(momentColumn()),
  },
  { key: ['id'], replaces: 'nothing' },
);
