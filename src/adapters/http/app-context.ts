import type Koa from 'koa';
import type { AnsweredOrder } from './metrics.js';
import type { StreamReply } from './route.js';

/** The state of a request in the app. */
export interface State {
  requestId: string;
  route: string;
  account: string | null;
  /** The whole answer of the API; null where Koa answers, for the pages of the documentation. */
  answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Its media type. */
    readonly type: string;
    readonly text: string;
  } | null;
  /** The order that the answer shows, for the log. */
  order: AnsweredOrder | null;
  /** Sends the answer in place of `answer`. */
  stream: StreamReply | null;
}

/** An answer of the API, complete. */
export type Answer = NonNullable<State['answer']>;

/** The Koa context of this app. */
export type AppContext = Koa.ParameterizedContext<State>;
