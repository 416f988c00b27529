import type { AlarmKind } from './alarm.js';

/** What an alarm says to a person. */
export interface AlarmMeaning {
  /** What is wrong, in a few words. */
  readonly title: string;
  /** What it means for money. */
  readonly meaning: string;
  readonly whatToDo: string;
  /** True of one that a person wants to be woken for. */
  readonly isUrgent: boolean;
  /** Its row in docs/alarms.md: when it is raised, and what its subject is. */
  readonly row: readonly [raised: string, subject: string];
}

/** What each kind of alarm means, and what to do. */
export const ALARM_MEANINGS: Readonly<Record<AlarmKind, AlarmMeaning>> = {
  unknown_order: {
    title: 'An order is unknown',
    meaning:
      'It is not known for more than a minute whether the venue has an order with real money. Its money stays reserved, and it is never sent again under another identity.',
    whatToDo:
      'Nothing at first: the venue is asked until it answers, and the alarm clears itself. After ten minutes, look for the order at the venue, and run stakeport doctor.',
    isUrgent: true,
    row: ['it is not known for a minute whether the venue has an order with real money', 'the order'],
  },
  contradiction: {
    title: 'The venue contradicts the record',
    meaning:
      'The venue and the record of an order cannot both be true, so the books of the account may be wrong. Its trading with real money is halted.',
    whatToDo:
      'Compare the order with what the venue shows, run stakeport audit, and release the account once you know why: stakeport accounts release NAME.',
    isUrgent: true,
    row: ['the venue and the record of an order cannot both be true', '`account contradiction`'],
  },
  trading_stopped: {
    title: 'Trading was stopped',
    meaning: 'The service or the venue stopped orders of the account by itself. Cancellations always pass.',
    whatToDo:
      'Read the reason, and let the account trade again when it is settled: POST /v1/trading/state with this scope and active; a halt of the venue: stakeport accounts release NAME.',
    isUrgent: true,
    row: [
      'the service or the venue stopped orders by itself: losses, rejections, unknown orders, a strategy that re-enters too fast',
      'the scope and the code, as `account daily_loss_exceeded`',
    ],
  },
  exit_held_back: {
    title: 'An exit is held back',
    meaning:
      'A strategy wants to sell what it holds by its exit rules, and for a minute of the market no limit let any part of that pass. It holds on, whatever the price does.',
    whatToDo:
      'Raise the limit that the detail names, or lower what is at risk beside it. The alarm clears itself once the exit passes, the strategy does not want it any more, or nothing is held.',
    isUrgent: true,
    row: [
      'no limit let any part of an exit pass for a minute of the market; `detail` names strategy, game, outcome, code and what it would take',
      'strategy, kind of money, market and outcome',
    ],
  },
  webhook_disabled: {
    title: 'A webhook is disabled',
    meaning:
      'Its receiver took nothing for days, or wants nothing any more. It is sent no events; none of them is lost.',
    whatToDo: 'Mend the receiver, then enable the webhook: stakeport webhooks enable ID. Or remove it.',
    isUrgent: false,
    row: ['a webhook is disabled because its receiver takes nothing', 'the webhook'],
  },
  commands_unheard: {
    title: 'Commands of a chat are not heard',
    meaning:
      'Telegram hands what people send to the bot to one program at a time, and another one takes it: a halt that is sent there stops nothing. Messages are sent as before.',
    whatToDo:
      'End that program, delete its webhook with the method deleteWebhook of the Bot API, or have BotFather make a bot for this server alone. The alarm clears itself once commands are heard again.',
    isUrgent: true,
    row: ['another program takes what people send to the bot of a chat that may command the account', 'the webhook'],
  },
  feed_stale: {
    title: 'Market data is silent',
    meaning:
      'No book of the venue could be trusted for a minute, although strategies follow its markets. Strategies decide nothing on old prices, and real money only lowers a worst case.',
    whatToDo:
      'Look at the status of the venue and at the network of the server. The alarm clears itself about two minutes after prices are back.',
    isUrgent: false,
    row: ['no book of a venue could be trusted for a minute, although strategies follow its markets', ''],
  },
  clock_off: {
    title: 'The clock is off',
    meaning:
      'The clock of the machine differs from that of the venue, so starts of games and ends of orders are not what they seem.',
    whatToDo:
      'Let the machine keep its time with NTP. The alarm clears itself about two minutes after the clock is right.',
    isUrgent: false,
    row: ["the machine's clock is more than five seconds off by the venue's", ''],
  },
  market_search_slow: {
    title: 'Looking for markets takes long',
    meaning:
      'The venue takes more than a minute to list the markets that strategies name. Games that are new are bet on late; those that are followed already are not affected.',
    whatToDo:
      'Look at the status of the venue, and at the number of sports that strategies name. The alarm clears itself about two minutes after a search was fast again.',
    isUrgent: false,
    row: ['looking for the markets that strategies name takes more than a minute', ''],
  },
  reconciliation_late: {
    title: 'Reconciliation is late',
    meaning:
      'Orders with real money were not compared with the venue for five minutes. What it filled meanwhile may be missing here, and no new order is sent there.',
    whatToDo:
      'Look at the status of the venue, and at the log for the reason. The alarm clears itself about two minutes after a complete reconciliation.',
    isUrgent: true,
    row: ['orders with real money were not reconciled with the venue for five minutes', 'the venue'],
  },
  results_late: {
    title: 'Results are not booked',
    meaning:
      'Results of markets could not be booked, or asked for, for a minute. What was won is not cash yet, and counts as held; nothing of it is lost.',
    whatToDo:
      'Look at the log for the reason, and at the database, and whether the source of the market answers. The alarm clears itself about two minutes after all results are booked.',
    isUrgent: true,
    row: [
      'results could not be booked for a minute, or looking for them took two; `detail` names up to three of the markets',
      '',
    ],
  },
  storage_trouble: {
    title: 'Storage took no writes',
    meaning: 'For a while nothing could be put on record, so nothing was traded, and no alarm could be raised either.',
    whatToDo: 'Look at the database, its disk and its log. Watch GET /readyz from outside: it fails at once.',
    isUrgent: true,
    row: ['storage took no writes, and takes them again; `detail` says from when to when', ''],
  },
  disk_low: {
    title: 'Disk space is short',
    meaning:
      'The disk of the database has less than 500 MB left: when it is full, nothing can be put on record, and nothing is traded. Or the tapes of RECORD take all that they may, or their disk has less than 500 MB left: nothing is recorded until there is room again.',
    whatToDo:
      'Make room, or move what the detail names to a larger disk; for tapes that take all that they may, raise RECORD_MAX_MB.',
    isUrgent: true,
    row: [
      'the disk of a SQLite file has less than 500 MB left; or nothing is recorded, because the tapes of `RECORD` take `RECORD_MAX_MB`, or their disk has less than 500 MB left',
      '`tapes` for these',
    ],
  },
  doctor: {
    title: 'The start found something wrong',
    meaning:
      'What stakeport doctor checks at the venue was not well when the server started, so orders with real money may be refused.',
    whatToDo:
      'Run stakeport doctor, follow its lines, and start that server again. The alarm clears itself about two minutes after no server runs that found something.',
    isUrgent: false,
    row: ['what `stakeport doctor` checks at a venue was not well when a server started', 'the venue'],
  },
};
