import type { ReadAlarms } from '../../core/usecases/alarms/read-alarms.js';
import { alarmsOut, presentAlarms } from './alarm-wire.js';
import { type Route, route } from './route.js';

/** Everything under `/v1/alarms`. */
export function alarmRoutes(readAlarms: ReadAlarms): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/alarms',
      operationId: 'listAlarms',
      tag: 'alarms',
      status: 200,
      scopes: ['orders:read'],
      summary: 'List what is wrong now, the oldest first',
      description:
        'Of the account, and for a credential with `admin` also of the whole service. Each is raised once and cleared once: the events `alarm.raised` and `alarm.cleared`.',
      answer: alarmsOut,
      answerName: 'Alarms',
      problems: [],
      async handle({ principal }) {
        const { account, scopes } = principal;
        return { status: 200, body: presentAlarms(await readAlarms.execute(account, scopes.has('admin'))) };
      },
    }),
  ];
}
