import type Koa from 'koa';

/** What a request carries on its way through the app. */
export interface State {
  requestId: string;
  route: string;
  account: string | null;
}

/** The Koa context of this app. */
export type AppContext = Koa.ParameterizedContext<State>;
