/** A row of the fault catalogue that is proved, wholly or in part, elsewhere than in this folder, or that cannot arise. */
export type Entry =
  /** `provedBy` names a file of tests and, after `›`, a text of the title of the test in it. */
  | { readonly row: number; readonly title: string; readonly provedBy: string }
  | { readonly row: number; readonly title: string; readonly notApplicable: string };

const ADAPTER = 'test/adapters/polymarket';
const TRANSPORT = 'test/adapters/transport';

/** Rows 15 to 49, calls to place an order and to look for one: all have tests in this folder, and these besides. */
export const PLACING: readonly Entry[] = [
  {
    row: 15,
    title: 'an incomplete answer to a check counts for nothing',
    provedBy: `${ADAPTER}/execution/exchange-find.test.ts › no lookup counts in which %s`,
  },
  {
    row: 18,
    title: 'a name that leads nowhere',
    provedBy: `${TRANSPORT}/not-sent.test.ts › row 18: when the name of the venue leads nowhere`,
  },
  {
    row: 18,
    title: 'a connection that does not stand in time',
    provedBy: `${TRANSPORT}/not-sent.test.ts › row 18: when the connection is not made in time`,
  },
  {
    row: 19,
    title: 'another side that speaks no TLS',
    provedBy: `${TRANSPORT}/not-sent.test.ts › row 19: when the other side speaks no TLS`,
  },
  {
    row: 20,
    title: 'a connection that ends within a large request',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 20: closed after a hundred bytes of a large request`,
  },
  {
    row: 34,
    title: 'other lanes go on while orders are held back',
    provedBy: `${TRANSPORT}/turns.test.ts › while the venue wants fewer orders (row 34)`,
  },
  {
    row: 35,
    title: 'the wait grows',
    provedBy: `${ADAPTER}/execution/exchange-sending.test.ts › grows from one second to thirty when the venue gives none`,
  },
  {
    row: 40,
    title: 'a large answer to an order is cut off at the limit',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 40: when the answer is larger than is read`,
  },
  {
    row: 41,
    title: 'nothing compressed is asked for',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 41: nothing compressed is asked for, and nothing is inflated`,
  },
  {
    row: 48,
    title: 'every digit of JSON and of decimals',
    provedBy: `${ADAPTER}/http/exactness.test.ts › row 48: a decimal is exact or refused`,
  },
];
