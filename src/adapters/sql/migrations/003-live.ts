import type { Dialect } from '../columns.js';
import { promisedSchema } from './003-live-promised.js';
import { redeemableSchema } from './003-live-redeemable.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', flag: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', flag: 'boolean', short: '' },
} as const;

type Types = (typeof TYPES)[keyof typeof TYPES];

/** As in the first step: amounts stay where every driver returns them exactly. */
const LIMIT = '9007199254740992';

/**
 * What orders at a real venue need: the envelope of each; jobs, due by the clock of the database, so that machines that
 * share it need not agree on the time; why an account is halted; and orders of the wallet that were not placed here. Also
 * how far each tape was played.
 */
export function liveSchema(dialect: Dialect['name']): readonly string[] {
  const t = TYPES[dialect];
  const { text, integer, short } = t;
  return [
    'alter table orders add column envelope text',
    'alter table orders add column send_by text',
    `alter table orders add column envelope_spends ${integer} check (${amount('envelope_spends')})`,
    // Unique: a venue's report about one order must never be applied to two of ours.
    `create unique index orders_by_venue_order_id on orders (venue_order_id)
      where paper = false and venue_order_id is not null`,
    ...halts,
    `create table order_jobs (
      account ${text} not null,
      order_id ${text} not null,
      fence ${integer} not null check (fence >= 1),
      due_at ${integer},
      primary key (account, order_id)
    ) ${short}`,
    'create index order_jobs_due on order_jobs (due_at) where due_at is not null',
    ...promisedSchema(dialect),
    ...redeemableSchema(dialect),
    `create table bookmarks (name ${text} primary key, at ${text} not null) ${short}`,
    externalOrders(t),
  ];
}

const amount = (column: string): string => `${column} >= 0 and ${column} < ${LIMIT}`;

const halts = [
  'alter table accounts add column halt_code text',
  'alter table accounts add column halt_message text check ((halt_code is null) = (halt_message is null))',
  'alter table accounts add column halted_at text check ((halt_code is null) = (halted_at is null))',
];

/** The identity comes first in the key, because they are listed in that order. */
function externalOrders({ text, integer, flag, short }: Types): string {
  return `create table external_orders (
      venue ${text} not null,
      venue_order_id ${text} not null,
      condition_id ${text} not null,
      token_id ${text},
      side ${text} check (side in ('BUY', 'SELL')),
      price ${integer} check (${amount('price')}),
      shares ${integer} check (${amount('shares')}),
      resting ${flag} not null,
      first_seen ${text} not null,
      primary key (venue_order_id, venue)
    ) ${short}`;
}
