import type { Session } from '../../core/access/session.js';
import { momentColumn, textColumn } from './columns.js';
import { type Table, table } from './table.js';

/** Logins of people, of all accounts. */
export const SESSIONS: Table<Session> = table<Session>(
  'sessions',
  { digest: textColumn(), keyId: textColumn(), startedAt: momentColumn(), usedAt: momentColumn() },
  { key: ['digest'] },
);
