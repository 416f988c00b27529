/** The parts of the interface, as the document has them, and what each is about. */
export const TAGS = {
  strategies: 'Rules by which to bet, with their caps; what they decided, and why.',
  approvals: 'Bets that strategies propose and a person decides on.',
  orders: 'Orders, on paper and with real money, and the history of each.',
  signals: 'What models say of markets, for strategies to bet by.',
  markets: 'Markets of the venues, and their books.',
  portfolio: 'What the account holds, is worth and has earned.',
  limits: 'What the account may lose, stake and place, and how much of it is in use.',
  events: 'Everything that happened to the account, in order, as pages and as a stream.',
  trading: 'What stops trading, of an account, a strategy, a sport or the whole service.',
  alarms: 'What is wrong now, what it means, and what to do.',
  webhooks: 'Where events are sent to.',
  session: 'Who is calling, and the login of pages in a browser.',
  admin: 'What only an administrator may do, for all accounts.',
} as const;

/** The name of such a part. */
export type Tag = keyof typeof TAGS;
