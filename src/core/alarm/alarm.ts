/** What can be wrong. */
export const ALARM_KINDS = [
  'unknown_order',
  'contradiction',
  'trading_stopped',
  'exit_held_back',
  'webhook_disabled',
  'commands_unheard',
  'feed_stale',
  'clock_off',
  'market_search_slow',
  'reconciliation_late',
  'results_late',
  'storage_trouble',
  'disk_low',
  'doctor',
] as const;

/** One of the things that can be wrong. */
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** Something that is wrong since a moment, and that a person should look at. Its kind and its subject are its identity. */
export interface AlarmRecord {
  readonly kind: AlarmKind;
  /** What it is about: the id of an order or a webhook, what a strategy holds, the name of a venue, a scope of trading; empty for the whole service. */
  readonly subject: string;
  /** What was found, as a sentence. */
  readonly detail: string;
  readonly since: Date;
  /** When it ends by itself unless it is reported again; null where something else ends it. */
  readonly until: Date | null;
}

/** What names an alarm. */
export type AlarmKey = Pick<AlarmRecord, 'kind' | 'subject'>;

/** So many are kept for an account, the oldest; what is wrong beyond that is raised once some of them are cleared. */
const MOST_ALARMS = 100;

const isSame = (one: AlarmKey, other: AlarmKey): boolean => one.kind === other.kind && one.subject === other.subject;

/** The alarm with this key; undefined without one. */
export const alarmIn = (alarms: readonly AlarmRecord[], key: AlarmKey): AlarmRecord | undefined =>
  alarms.find((one) => isSame(one, key));

/** The list with this alarm added or updated; the same array where nothing changes or the list is full. */
export function withAlarm(alarms: readonly AlarmRecord[], alarm: AlarmRecord): readonly AlarmRecord[] {
  const known = alarmIn(alarms, alarm);
  if (known === undefined) return alarms.length >= MOST_ALARMS ? alarms : [...alarms, alarm];
  if (known.detail === alarm.detail && known.until?.getTime() === alarm.until?.getTime()) return alarms;
  return alarms.map((one) => (one === known ? { ...alarm, since: known.since } : one));
}

/** The list without the alarm of this key; the same array where it is not in the list. */
export const withoutAlarm = (alarms: readonly AlarmRecord[], key: AlarmKey): readonly AlarmRecord[] =>
  alarmIn(alarms, key) === undefined ? alarms : alarms.filter((one) => !isSame(one, key));

/** Those of `alarms` that are not among `others`. */
export const alarmsBeyond = (alarms: readonly AlarmRecord[], others: readonly AlarmRecord[]): readonly AlarmRecord[] =>
  alarms.filter((one) => alarmIn(others, one) === undefined);

/** An alarm as its JSON text has it. */
type Written = Omit<AlarmRecord, 'since' | 'until'> & { readonly since: string; readonly until: string | null };

/** Alarms as JSON text. */
export const alarmsText = (alarms: readonly AlarmRecord[]): string => JSON.stringify(alarms);

/** Reads back what `alarmsText` wrote. */
export const alarmsIn = (text: string): readonly AlarmRecord[] =>
  (JSON.parse(text) as readonly Written[]).map(alarmFrom);

/** Reads back an alarm of JSON text. */
export const alarmFrom = ({ since, until, ...alarm }: Written): AlarmRecord => ({
  ...alarm,
  since: new Date(since),
  until: until === null ? null : new Date(until),
});
