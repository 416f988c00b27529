import type Koa from 'koa';

/** The state of a request in the app. */
export interface State {
  requestId: string;
  route: string;
  account: string | null;
}

/** The Koa context of this app. */
export type AppContext = Koa.ParameterizedContext<State>;
