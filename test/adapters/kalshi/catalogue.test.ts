import { describe, expect, test } from 'vitest';
import { type Entry, flaw, missing, testsIn } from '../../faults/catalogue.js';

const HERE = 'test/adapters/kalshi';
const TRANSPORT = 'test/adapters/transport';
const FAULTS = 'test/faults';
const STREAM = `${HERE}/market-data.test.ts`;
const DOCTOR = `${HERE}/doctor.test.ts`;
const RANDOM = `${HERE}/random-orders.test.ts › cash, positions and fees of 1,000 random orders`;

/** The rows of the catalogue of faults, the hazards of the venue, and the rows that only it has (`kalshi.md` 10, 11.6). */
const ROWS = [
  ...Array.from({ length: 68 }, (_, index) => `${15 + index}`),
  ...Array.from({ length: 26 }, (_, index) => `K${1 + index}`),
  ...Array.from({ length: 6 }, (_, index) => `N${1 + index}`),
];

/** What is proved by tests that no row gives its name, or by those of what both venues have in common; and what cannot arise. */
const ENTRIES: readonly Entry<string>[] = [
  {
    row: '19',
    title: 'a server without a certificate that is trusted is sent nothing',
    provedBy: `${TRANSPORT}/not-sent.test.ts › row 19: when the certificate is untrusted`,
  },
  {
    row: '20',
    title: 'a request that was cut is not known to have arrived',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 20: reset after the first byte`,
  },
  {
    row: '21',
    title: 'an answer that was cut proves nothing',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 21: reset within the answer`,
  },
  {
    row: '22',
    title: 'half of an answer proves nothing',
    provedBy: `${HERE}/create-outcomes.test.ts › half of a text`,
  },
  {
    row: '23',
    title: 'a page of a gateway proves nothing',
    provedBy: `${HERE}/create-outcomes.test.ts › a page of a gateway`,
  },
  {
    row: '35',
    title: 'orders keep to an allowance of their own, and wait for it',
    provedBy: `${TRANSPORT}/turns.test.ts › (row 34)`,
  },
  {
    row: '39',
    title: 'an answer that drips is given up',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 39: when the answer drips`,
  },
  {
    row: '40',
    title: 'a large answer is cut off',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 40: when the answer is larger`,
  },
  { row: '41', title: 'nothing is inflated', provedBy: `${TRANSPORT}/sent-once.test.ts › row 41: nothing compressed` },
  { row: '42', title: 'a redirect is not followed', provedBy: `${TRANSPORT}/sent-once.test.ts › row 42: a redirect` },
  { row: '43', title: 'a garbage cursor ends the list', provedBy: `${HERE}/list.test.ts › K26: ends where a cursor` },
  {
    row: '46',
    title: 'a state that nobody has named is read as such',
    provedBy: `${HERE}/list.test.ts › in a state that nobody has named`,
  },
  {
    row: '47',
    title: 'orders are not delayed',
    notApplicable: 'The venue has no delay of its markets (UNCERTAIN in live sports).',
  },
  {
    row: '48',
    title: 'amounts are exact to the last digit',
    provedBy: `${HERE}/list.test.ts › K8, K9: has its amounts`,
  },
  {
    row: '56',
    title: 'a fill before a cancellation is kept',
    provedBy: `${HERE}/exchange.test.ts › that rests is open, is filled as others come, and can be cancelled`,
  },
  {
    row: '58',
    title: 'a cancellation that finds nothing asks',
    provedBy: `${HERE}/hazards.test.ts › K4: an order whose cancellation finds nothing`,
  },
  { row: '61', title: 'trades do not fail', notApplicable: 'Fills are final: no other state of theirs exists.' },
  { row: '62', title: 'a sale that another account has netted to an opening is right in money', provedBy: RANDOM },
  { row: '63', title: 'no more is filled than ordered', notApplicable: 'The count bounds: no order is by dollars.' },
  { row: '64', title: 'no dust is left', notApplicable: 'Contracts are filled in whole hundredths.' },
  { row: '65', title: 'the fees of each fill are booked as told, of takers and makers', provedBy: RANDOM },
  {
    row: '66',
    title: 'another grid reaches those who follow the market',
    provedBy: `${STREAM} › hands over another grid of prices`,
  },
  { row: '67', title: 'a price off the grid is not sent', provedBy: `${HERE}/exchange.test.ts › off the grid` },
  {
    row: '68',
    title: 'what concerns an order goes to the shard of its market',
    provedBy: `${HERE}/hazards.test.ts › K16: a cancellation names the market`,
  },
  { row: '71', title: 'too little cash is a refusal', provedBy: `${HERE}/exchange.test.ts › beyond the cash` },
  { row: '72', title: 'cash on another shard is said', provedBy: `${DOCTOR} › K15: warns of a shard without cash` },
  { row: '73', title: 'a crossed book is in doubt', provedBy: `${STREAM} › has a gap while its book is crossed` },
  {
    row: '74',
    title: 'a change that does not fit puts the book in doubt',
    provedBy: `${STREAM} › is in doubt when a change does not fit its book`,
  },
  { row: '75', title: 'results of 1 and 0 pay as at the venue', provedBy: RANDOM },
  { row: '76', title: 'scalar results pay as at the venue, but for cents', provedBy: RANDOM },
  { row: '77', title: 'what is determined, disputed or amended pays nothing', provedBy: RANDOM },
  { row: '78', title: 'the last result of several is paid', provedBy: RANDOM },
  {
    row: '79',
    title: 'an order that rests when its market ends reads as cancelled',
    provedBy: `${HERE}/hazards.test.ts › K20, K21: what the venue ends by itself`,
  },
  {
    row: '80',
    title: 'a fill that is found after the result is booked',
    provedBy: `${FAULTS}/live-settlement.test.ts › row 80: a fill found after the result`,
  },
  {
    row: 'K11',
    title: 'a message in the shape of REST is no book',
    provedBy: `${STREAM} › is in doubt after a message in the shape of REST`,
  },
  {
    row: 'K12',
    title: 'a lost message puts all markets of its subscription in doubt',
    provedBy: `${STREAM} › and all others of its subscription are in doubt when a message is lost`,
  },
  { row: 'K13', title: 'prices of the first outcome are asked for', provedBy: `${STREAM} › use_yes_price` },
  { row: 'K14', title: 'a price off the grid is not sent', provedBy: `${HERE}/exchange.test.ts › off the grid` },
  { row: 'K17', title: 'a lapsed attestation is said', provedBy: `${DOCTOR} › an attestation that lapsed` },
  {
    row: 'K18',
    title: 'a clock that is off is corrected',
    provedBy: `${HERE}/exchange.test.ts › is sent once more by the time of the venue, when our clock is off`,
  },
  {
    row: 'K19',
    title: 'an order waits while trading is paused',
    provedBy: `${HERE}/exchange.test.ts › is sent again while trading is paused`,
  },
  { row: 'K23', title: 'a payout is any number of cents from 0 to 1', provedBy: RANDOM },
  {
    row: 'N1',
    title: 'an attestation that lapses refuses new orders and halts; what rests is seen as the venue shows it',
    provedBy: `${HERE}/create-outcomes.test.ts › region_attestation_expired`,
  },
  {
    row: 'N2',
    title: 'cash that is on its way between shards',
    notApplicable: 'Nothing here moves cash between shards.',
  },
  {
    row: 'N3',
    title: 'identities of a restored database are not used again',
    provedBy: `${HERE}/hazards.test.ts › K3: no two orders have the same identity`,
  },
  { row: 'N4', title: 'pairs of outcomes that two accounts hold are paid already', provedBy: RANDOM },
  { row: 'N5', title: 'the fee that a fill tells counts, not the one of the order', provedBy: RANDOM },
  {
    row: 'N6',
    title: 'a lower tier is obeyed, from the next connection on',
    provedBy: `${HERE}/allowances.test.ts › fewer tokens than the lowest tier`,
  },
];

/** `rows 44, 45: …` at the beginning of a title, and the first word of a table of them. */
const TITLE = /['"`](?:rows? )?(K?\d+(?:, K?\d+)*): /g;
const OF_TABLE = /\[\s*'(\d[^']*)',\s*\d{3},/g;

const tested = (): Set<string> =>
  new Set(
    testsIn(HERE).flatMap((text) =>
      [...text.matchAll(TITLE), ...text.matchAll(OF_TABLE)].flatMap(([, rows = '']) => rows.match(/K?\d+/g) ?? []),
    ),
  );

describe('the catalogue of faults at Kalshi', () => {
  test('has a test, or says where the proof is, for every row and hazard', () => {
    expect(missing(ROWS, tested(), ENTRIES)).toEqual([]);
  });

  test.each(ENTRIES)('is true for $row: $title', (entry) => {
    expect(flaw(entry, tested())).toBeNull();
    expect(ROWS).toContain(entry.row);
  });
});
