import type { Dialect } from '../columns.js';

/**
 * The decision that placed an order. Of orders already placed it is not known: their histories do not name it, and an order's
 * row says what its history says.
 */
export function decisionIdsSchema(dialect: Dialect['name']): readonly string[] {
  return [`alter table orders add column decision_id ${dialect === 'sqlite' ? 'text' : 'text collate "C"'}`];
}
