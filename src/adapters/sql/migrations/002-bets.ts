import type { Dialect } from '../columns.js';
import { TYPES } from './001-types.js';

/** What bets are made of: what an order was decided on, and the prices when it reached the book. */
export function bets(dialect: Dialect['name']): readonly string[] {
  const { text } = TYPES[dialect];
  return [`alter table orders add column decided_on ${text}`, `alter table orders add column at_arrival ${text}`];
}
