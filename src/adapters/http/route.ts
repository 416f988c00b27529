import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as v from 'valibot';
import type { AuthScope, Principal } from '../../core/access/principal.js';
import type { AnsweredOrder } from './metrics.js';
import type { ProblemName } from './problem.js';

/** The methods that routes have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a route's handler gets: an authorised caller, and validated input. */
export interface RouteCall<Query, Body> {
  readonly principal: Principal;
  /** The first parameter of the path, such as the strategy's id; empty where the path has none. */
  readonly id: string;
  /** The second parameter of the path; empty where it has none. */
  readonly second: string;
  readonly query: Query;
  readonly body: Body;
  /** Null when none was sent; always null where the route takes none. */
  readonly idempotencyKey: string | null;
  readonly req: IncomingMessage;
}

/** The media type of tables. */
export const CSV_TYPE = 'text/csv';

/**
 * An answer that goes on: `stream` gets the response once its headers are on their way. Where it rejects, the connection is cut, so that
 * nobody takes what was sent for the whole.
 */
export interface StreamReply {
  readonly status: 200;
  /** Server-sent events if absent. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream: (res: ServerResponse) => void | Promise<void>;
}

/** Its answer. `replayed`: an earlier request with the same idempotency key made this. */
export interface Reply {
  readonly status: 200 | 201;
  readonly body: object;
  readonly headers?: Record<string, string>;
  readonly replayed?: boolean;
  /** The order that it shows, for the log. */
  readonly order?: AnsweredOrder;
}

/** An answer whose JSON is made already. */
export interface TextReply {
  readonly status: 200;
  readonly text: string;
}

/** One operation: its handler, and all that the router, the guard and the OpenAPI document need. */
export interface Route<Query = unknown, Body = unknown> {
  readonly method: Method;
  /** As in OpenAPI: `/v1/strategies/{sid}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  /** What the summary does not say. */
  readonly description: string;
  /** The caller needs one of these; a server with a route without scopes does not start. */
  readonly scopes: readonly [AuthScope, ...AuthScope[]];
  /** True where `{id}` of the path must be a UUID; anything else is not found. */
  readonly uuid?: boolean;
  readonly query?: v.GenericSchema<unknown, Query>;
  readonly body?: v.GenericSchema<unknown, Body>;
  /** True where a missing body counts as an empty object. */
  readonly bodyOptional?: boolean;
  /** The most bytes of a body; 16 KiB where it is absent. */
  readonly bodyLimit?: number;
  readonly status: 200 | 201;
  readonly answer: v.GenericSchema;
  readonly answerName: string;
  /** Response headers besides those that every answer has. */
  readonly answerHeaders?: readonly ('location' | 'etag' | 'set-cookie')[];
  /** Whether it answers with server-sent events, and `answer` is the schema of one. */
  readonly isStream?: boolean;
  /** Whether it answers with CSV, and `answer` is the schema of a row. */
  readonly isCsv?: boolean;
  readonly takesIfMatch?: boolean;
  /** False for a POST that changes nothing, and needs no idempotency key. */
  readonly takesKey?: boolean;
  /** Problems besides those that every route has. */
  readonly problems: readonly ProblemName[];
  /** A method, not a property: the table holds routes of every query and body. */
  handle(call: RouteCall<Query, Body>): Promise<Reply | TextReply | StreamReply>;
}

/** Checks the types of one route together, and erases them for the table. */
export function route<Query, Body>(definition: Route<Query, Body>): Route {
  return definition;
}

/** True of the routes that take an idempotency key. */
export const takesKey = ({ method, takesKey: takes = true }: Pick<Route, 'method' | 'takesKey'>): boolean =>
  method === 'POST' && takes;

/** The parts of the interface, as the document has them, and what each is about. */
export const TAGS = {
  strategies: 'Rules by which to bet, with their caps; what they decided, and why.',
  approvals: 'Bets that strategies propose and a person decides on.',
  orders: 'Orders, on paper and with real money, and the history of each.',
  bets: 'What was bought and sold of one outcome, what it cost and earned, and how it ended.',
  signals: 'What models say of markets, for strategies to bet by.',
  markets: 'Markets of the venues, and their books.',
  portfolio: 'What the account holds, is worth and has earned.',
  limits: 'What the account may lose, stake and place, and how much of it is in use.',
  export: 'Tables for spreadsheets and tax forms: bets, orders, and every movement of money.',
  events: 'Everything that happened to the account, in order, as pages and as a stream.',
  trading: 'What stops trading, of an account, a strategy, a sport or the whole service.',
  alarms: 'What is wrong now, what it means, and what to do.',
  webhooks: 'Where events are sent to.',
  session: 'Who is calling, and the login of pages in a browser.',
  admin: 'What only an administrator may do, for all accounts.',
} as const;

/** The name of such a part. */
export type Tag = keyof typeof TAGS;

/** How an act that risks more than before is refused to a session that may not do it now. */
export const RESTRAINED = ['ui-trading-off', 'key-needed'] as const satisfies readonly ProblemName[];
