import type { AlarmRecord } from './alarm.js';

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
