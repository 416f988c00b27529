/** The types of columns, and the kinds of tables: SQLite keeps short rows in the tree of their key, long ones outside it. */
export const TYPES = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    flag: 'integer',
    yes: '1',
    no: '0',
    zero: '',
    empty: '',
    long: 'strict',
    short: 'strict, without rowid',
  },
  postgres: {
    text: 'text collate "C"',
    integer: 'bigint',
    flag: 'boolean',
    yes: 'true',
    no: 'false',
    zero: 'default 0',
    empty: `default ''`,
    long: '',
    short: '',
  },
} as const;

/** The types of one of the two. */
export type Types = (typeof TYPES)[keyof typeof TYPES];

/** Amounts stay below 2^53, where every driver returns them exactly; the bound also keeps NaN and infinity out. */
export const LIMIT = '9007199254740992';

/** The check of an amount. */
export const unsigned = (column: string): string => `${column} >= 0 and ${column} < ${LIMIT}`;

/** The check of an amount that may be below zero. */
export const signed = (column: string): string => `${column} > -${LIMIT} and ${column} < ${LIMIT}`;
