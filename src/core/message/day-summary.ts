import type { AlarmRecord } from '../alarm/alarm.js';
import { ALARM_MEANINGS } from '../alarm/meanings.js';
import type { EventType } from '../ledger/event-log.js';
import type { MoneyKind } from '../market/market.js';
import type { Usdc } from '../money.js';
import type { News } from './interest.js';
import { gainedText, profitText, spentText } from './message-text.js';

/** The kinds of events that a summary counts. */
export const COUNTED_TYPES: readonly EventType[] = ['order.fill', 'order.settled', 'alarm.raised'];

/** What was counted since the summary before. */
export interface DayCounts {
  readonly paper: MoneyCounts;
  readonly live: MoneyCounts;
  readonly alarms: number;
}

interface MoneyCounts {
  readonly fills: number;
  readonly results: number;
}

/** The counts before the first event. */
export const NOTHING_HAPPENED: DayCounts = {
  paper: { fills: 0, results: 0 },
  live: { fills: 0, results: 0 },
  alarms: 0,
};

/** The counts with one more event. */
export function counting(counts: DayCounts, { type, data }: Pick<News, 'type' | 'data'>): DayCounts {
  if (type === 'alarm.raised') return { ...counts, alarms: counts.alarms + 1 };
  if (data.kind !== 'order') return counts;
  const money = data.order.intent.paper ? 'paper' : 'live';
  const { fills, results } = counts[money];
  if (type === 'order.fill') return { ...counts, [money]: { fills: fills + 1, results } };
  return type === 'order.settled' ? { ...counts, [money]: { fills, results: results + 1 } } : counts;
}

/** What one kind of money is worth now, and what it made. */
export interface MoneyState {
  readonly money: MoneyKind;
  readonly equity: Usdc;
  /** Open positions. */
  readonly positions: number;
  /** At risk. */
  readonly exposure: Usdc;
  /** Since the summary before: realised and not realised, after fees; null where it is not known. */
  readonly profit: Usdc | null;
}

/** The contents of a summary. */
export interface DayState {
  /** The day that it is sent on, such as `2026-12-05`. */
  readonly day: string;
  readonly counts: DayCounts;
  /** Null where there never was any. */
  readonly paper: MoneyState | null;
  readonly live: MoneyState | null;
  /** Those that are raised now. */
  readonly alarms: readonly AlarmRecord[];
}

/** The summary of a day, line by line. */
export function summaryLines({ day, counts, paper, live, alarms }: DayState): readonly string[] {
  const lines = [
    ...(live === null ? [] : [moneyWords(live, counts.live)]),
    ...(paper === null ? [] : [moneyWords(paper, counts.paper)]),
  ];
  return [
    `Daily summary, ${day}`,
    ...(lines.length === 0 ? ['Nothing was ever traded.'] : lines),
    alarmWords(alarms, counts.alarms),
  ];
}

function moneyWords(
  { money, equity, positions, exposure, profit }: MoneyState,
  { fills, results }: MoneyCounts,
): string {
  const made = profit === null ? '' : `profit ${profitText(profit)}, `;
  const open = positions === 0 ? 'nothing is open' : `${several(positions, 'open position')}`;
  const happened = `${several(fills, 'fill')}, ${several(results, 'order')} settled`;
  return `${money[0]?.toUpperCase()}${money.slice(1)}: ${made}equity ${gainedText(equity)}. ${happened}. ${open}, ${spentText(exposure)} at risk.`;
}

function alarmWords(alarms: readonly AlarmRecord[], raised: number): string {
  const now = alarms.map(({ kind }) => ALARM_MEANINGS[kind].title);
  if (now.length > 0) return `ALARMS now: ${[...new Set(now)].join('; ')}. See GET /v1/alarms.`;
  return raised === 0 ? 'No alarms.' : `${several(raised, 'alarm')} raised, all of them over.`;
}

const several = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
