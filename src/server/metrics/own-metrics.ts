import type { MetricTerms } from '../../adapters/http/metrics.js';

/** The metrics of a server beside those of its HTTP, in the order of docs/operating.md. */
export const METRICS = {
  stakeport_orders_total: {
    help: 'Orders that reached a status; each begins as pending.',
    labels: ['status', 'venue', 'mode'],
    row: 'orders that reached a status; each begins as `pending`',
  },
  stakeport_order_refusals_total: {
    help: 'Orders that became denied, rejected, unknown or failed.',
    labels: ['code', 'status', 'mode'],
    row: 'orders that became `denied`, `rejected`, `unknown` or `failed`, by their [code](refusals.md)',
  },
  stakeport_decisions_total: {
    help: 'What strategies decided, and by which rule.',
    labels: ['verdict', 'rule'],
    row: 'what strategies decided. `bet`, and `proposed` to a person: what bound it; `exit`: the rule that sold; `skip`: the first rule that was not true, counted every ten seconds',
  },
  stakeport_unknown_orders: {
    help: 'Live orders whose outcome at the venue is unknown.',
    row: 'live orders whose outcome at the venue is unknown',
  },
  stakeport_reconciled_age_seconds: {
    help: 'Time since the orders on record were last fully reconciled with the venue.',
    row: 'since the records last agreed with the venue',
  },
  stakeport_ready: {
    help: '1 while the server takes requests, 0 while /readyz gives a reason other than its database.',
    row: '0 while `/readyz` gives a reason other than a database without writes',
  },
  stakeport_feed_age_seconds: {
    help: 'Time since anything was heard of the markets that are followed at a venue; absent while none is.',
    labels: ['venue'],
    row: 'since anything was heard of the markets that are followed; absent while none is',
  },
  stakeport_followed_markets: {
    help: 'Markets that are followed at a venue, for strategies and for paper orders.',
    labels: ['venue'],
    row: 'markets that are followed, for strategies and for paper orders',
  },
  stakeport_paper_lease_owned: {
    help: '1 while this server matches the paper orders of its database, 0 while another server does.',
    row: '1 at the server that matches paper orders and runs strategies',
  },
  stakeport_writes_waiting: {
    help: 'Writes that wait to be committed.',
    row: 'writes that wait to be committed; beyond 10,000 they are refused',
  },
  stakeport_commit_duration_seconds: {
    help: 'Time from a group of writes being stored until that is durable.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    row: 'how long a group of writes takes until it is durable',
  },
  stakeport_commit_writes: {
    help: 'Writes that were committed together.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    row: 'how many writes a group has',
  },
  stakeport_database_errors_total: {
    help: 'What the database could not do.',
    labels: ['kind'],
    row: '`conflict`: another server wrote first or the connection broke, repeated; `refused`: a bug; `unavailable`: no answer, or no room; `broken`: the server has to be restarted',
  },
  stakeport_account_collisions_total: {
    help: 'Accounts that another process had written after a group of writes read them; the group was decided again.',
    row: 'accounts that another process had written after a group of writes read them',
  },
  stakeport_market_search_seconds: {
    help: 'How long markets are being looked for, or were the last time where that took longer; 0 where nothing trades.',
    row: 'how long the search for markets takes, or last took',
  },
  stakeport_markets_not_followed: {
    help: 'Markets that strategies may bet on now or soon, and that are not followed: one server follows 1,000.',
    row: 'markets that strategies may bet on now or soon, and that are not followed',
  },
  stakeport_outcomes_watched: {
    help: 'Outcomes of markets that are watched, each counted for each strategy.',
    row: 'outcomes of markets that are watched, each counted for each strategy',
  },
  stakeport_outcomes_not_watched: {
    help: 'Outcomes that strategies may bet on now or soon, and do not watch, because their accounts watch as many as they may.',
    row: 'those that strategies may bet on now or soon, and do not watch (`WATCHED_PER_ACCOUNT`)',
  },
  stakeport_event_streams: {
    help: 'Streams of events that are open.',
    row: '[streams of events](events.md) that are open',
  },
  stakeport_event_stream_lag_seconds: {
    help: 'How long the stream that is furthest behind has had events to send; 0 where none has.',
    row: 'the lag of the stream furthest behind',
  },
  stakeport_market_streams: {
    help: 'Streams of markets that are open.',
    row: '[streams of markets](events.md#streams-of-markets) that are open',
  },
  stakeport_market_stream_lag_seconds: {
    help: 'How long the stream of markets that is furthest behind has had updates to send; 0 where none has.',
    row: 'the lag of the stream of markets furthest behind',
  },
  stakeport_webhook_tries_total: {
    help: 'Tries to send an event to a webhook.',
    labels: ['result'],
    row: 'tries to send to a [webhook](events.md#webhooks): `taken`, `failed`, or `gone` (410)',
  },
  stakeport_webhook_deliveries_waiting: {
    help: 'Events that a webhook did not take, or that wait for one that it did not take.',
    row: 'events that failed, or wait for an earlier one; at the server that sends',
  },
  stakeport_webhook_lag_seconds: {
    help: 'How long the webhook that is furthest behind has had events to be sent; 0 where none has.',
    row: 'the lag of the webhook furthest behind, people aside; at the server that sends',
  },
} as const satisfies Readonly<Record<string, MetricTerms>>;

type Table = typeof METRICS;
type MetricName = keyof Table;
/** The name of a metric whose terms have that member. */
type NameOf<Member extends keyof MetricTerms> = {
  [Name in MetricName]: Table[Name] extends Required<Pick<MetricTerms, Member>> ? Name : never;
}[MetricName];

/** A metric without labels. */
export const metric = (name: Exclude<MetricName, NameOf<'labels'>>) => [name, METRICS[name].help] as const;

/** A metric with labels. */
export const labelledMetric = (name: NameOf<'labels'>) => [name, METRICS[name].help, METRICS[name].labels] as const;

/** A distribution. */
export const distribution = (name: NameOf<'buckets'>) => [name, METRICS[name].help, METRICS[name].buckets] as const;
