import type { Lease } from '../../core/ledger/lease.js';
import { textColumn, wholeColumn } from './columns.js';
import type { Dialect } from './dialect.js';
import { rows } from './table.js';
import { rowsAsText, type Template } from './tables.js';

/** Leases by name; an expired one has no owner. */
export const LEASES = rows<Lease>('leases', { name: textColumn(), owner: textColumn(), fence: wholeColumn() });

/**
 * Reads leases by their names, and makes other claimants wait until the transaction ends: what is decided under a lease is
 * stored before another server can take it, or not at all.
 */
export function readingLeases(dialect: Dialect): Template {
  const held = `leases.expires_at > ${dialect.now} ${dialect.shared}`;
  return (parameter) =>
    `select ${rowsAsText(LEASES, dialect)} as found from (select leases.* from ${dialect.elements(parameter)}
      cross join leases where leases.name = ${dialect.member(0, 'text')} and ${held}) as leases`;
}
