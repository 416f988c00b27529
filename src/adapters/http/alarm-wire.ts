import * as v from 'valibot';
import { ALARM_KINDS, type AlarmRecord } from '../../core/alarm/alarm.js';
import { ALARM_MEANINGS } from '../../core/alarm/meanings.js';
import type { RaisedAlarm } from '../../core/usecases/alarms/read-alarms.js';
import { means, momentOut } from './schema.js';

const entries = {
  kind: means(v.picklist(ALARM_KINDS), 'What is wrong, as a stable word.', 'unknown_order'),
  subject: means(
    v.string(),
    'What it is about: the id of an order or a webhook, what a strategy holds, the name of a venue, a scope of trading; empty for the whole service.',
  ),
  detail: means(v.string(), 'What was found.'),
  since: means(momentOut, 'Since when.'),
  title: means(v.string(), 'What is wrong, in a few words.'),
  meaning: means(v.string(), 'What it means for money.'),
  what_to_do: means(v.string(), 'What to do.'),
  urgent: means(v.boolean(), 'True of one that a person should be woken for.'),
};

/** An alarm, as its events have it. */
export const alarmOut = v.object(entries);

/** Every alarm that is raised now. */
export const alarmsOut = v.object({
  data: v.array(
    v.object({
      scope: means(v.picklist(['account', 'service']), 'Whether it is about the account, or about the whole service.'),
      ...entries,
    }),
  ),
});

/** An alarm as the API shows it. */
export function presentAlarm({ kind, subject, detail, since }: AlarmRecord): v.InferInput<typeof alarmOut> {
  const { title, meaning, whatToDo, isUrgent } = ALARM_MEANINGS[kind];
  const text = { title, meaning, what_to_do: whatToDo, urgent: isUrgent };
  return { kind, subject, detail, since: since.toISOString(), ...text };
}

/** All of them as the API shows them. */
export const presentAlarms = (alarms: readonly RaisedAlarm[]): v.InferInput<typeof alarmsOut> => ({
  data: alarms.map((alarm) => ({ scope: alarm.scope, ...presentAlarm(alarm) })),
});
