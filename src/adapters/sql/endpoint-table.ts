import type { EventDelivery, Progress } from '../../core/endpoint/delivery.js';
import type { Endpoint, EndpointTarget, SealedSecrets, SkippedEvents } from '../../core/endpoint/endpoint.js';
import {
  type Dialect,
  document,
  flagColumn,
  momentColumn,
  orNull,
  postgresDialect,
  sqliteDialect,
  textColumn,
  wholeColumn,
} from './columns.js';
import { rowsAsText, storing, type Table, type Template, table } from './table.js';

const asJson = <V>() => document<V>((value) => JSON.stringify(value), JSON.parse);

const secretsColumn = document<SealedSecrets>(
  (secrets) => JSON.stringify(secrets),
  (text) => {
    const { current, previous } = JSON.parse(text);
    return { current, previous: previous && { ...previous, until: new Date(previous.until) } };
  },
);

/** Endpoints by their ids. */
export const ENDPOINTS = table<Endpoint>(
  'endpoints',
  {
    account: textColumn(),
    id: textColumn(),
    target: asJson<EndpointTarget>(),
    types: asJson<readonly string[]>(),
    description: textColumn(),
    by: textColumn(),
    state: textColumn(),
    disabledBecause: orNull(textColumn()),
    startsAfter: wholeColumn(),
    skipped: orNull(asJson<SkippedEvents>()),
    secrets: secretsColumn,
    createdAt: momentColumn(),
    updatedAt: momentColumn(),
  },
  { key: ['account', 'id'] },
);

/** Reads every endpoint of an account that was not removed. */
export function readingEndpoints(dialect: Dialect): Template {
  return (parameter) =>
    `select ${rowsAsText(ENDPOINTS, dialect)} as found from ${dialect.elements(parameter)} cross join endpoints
      where endpoints.account = ${dialect.member(0, 'text')} and endpoints.state <> 'removed'`;
}

/** How far events were sent to each endpoint. */
export const PROGRESS: Table<Progress> = table<Progress>(
  'endpoint_progress',
  {
    account: textColumn(),
    endpointId: textColumn(),
    passed: wholeColumn(),
    urgentPassed: wholeColumn(),
    heldUntil: orNull(momentColumn()),
    failingSince: orNull(momentColumn()),
    deliveredAt: orNull(momentColumn()),
    epoch: wholeColumn(),
  },
  { key: ['account', 'endpoint_id'] },
);

/** What endpoints did not take. */
export const DELIVERIES: Table<EventDelivery> = table<EventDelivery>(
  'endpoint_deliveries',
  {
    account: textColumn(),
    endpointId: textColumn(),
    seq: wholeColumn(),
    type: textColumn(),
    orderId: orNull(textColumn()),
    tries: wholeColumn(),
    nextAt: orNull(momentColumn()),
    isPassed: flagColumn(),
    triedAt: orNull(momentColumn()),
    status: orNull(wholeColumn()),
    said: textColumn(),
  },
  { key: ['account', 'endpoint_id', 'seq'] },
);

/** An epoch that is over moves nothing, and within one the furthest place counts. */
function movingOn(dialect: Dialect): string {
  const { name, replaced } = PROGRESS;
  const isFurther = `${name}.epoch = excluded.epoch and ${name}.passed > excluded.passed`;
  const moved = `passed = case when ${isFurther} then ${name}.passed else excluded.passed end`;
  const others = replaced.filter((column) => column !== 'passed').map((column) => `${column} = excluded.${column}`);
  const insert = storing({ ...PROGRESS, replaced: [] }, dialect)('?');
  return `${insert} on conflict (account, endpoint_id) do update set ${[moved, ...others].join(', ')}
    where ${name}.epoch <= excluded.epoch`;
}

/** Deletes those of a JSON array of keys. */
function deleting({ name, key, stored }: Table<EventDelivery> | Table<Progress>, dialect: Dialect, by: number): string {
  const columns = key.slice(0, by);
  const members = columns.map((column, at) => dialect.member(at, stored[column] ?? 'text'));
  return `delete from ${name} where (${columns.join(', ')}) in
    (select ${members.join(', ')} from ${dialect.elements('?')})`;
}

/** The statements that change how far endpoints have come. Each takes one JSON array of rows or keys. */
function statements(dialect: Dialect) {
  return {
    MOVE: movingOn(dialect),
    PUT: storing(DELIVERIES, dialect)('?'),
    REMOVE: deleting(DELIVERIES, dialect, DELIVERIES.key.length),
    FORGET: deleting(DELIVERIES, dialect, PROGRESS.key.length),
    FORGET_PROGRESS: deleting(PROGRESS, dialect, PROGRESS.key.length),
  };
}

/** On SQLite. */
export const SQLITE_DELIVERY = statements(sqliteDialect);
/** On Postgres. */
export const POSTGRES_DELIVERY = statements(postgresDialect);
