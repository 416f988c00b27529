/** The meaning of each code of a place outcome, in one sentence. The codes are stable; other answers have no code. */
export const CREATE_SENTENCES = {
  answer_page: 'The venue answered with a web page, which proves nothing.',
  answer_unreadable: 'The venue answered with something that cannot be read.',
  fok_not_filled: 'The order could not be filled immediately and in full.',
  forbidden: 'The venue forbids trading with this key: its scopes, or its subaccount.',
  insufficient_funds: 'The cash on the shard of the market is too low for the order and its fee.',
  invalid_expiration: 'The expiry is too near or not allowed.',
  invalid_tick: 'The price is not on the grid of the market.',
  market_closed: 'The market is not open for orders.',
  market_unlisted: 'The venue does not know this market.',
  no_reason: 'The venue names neither an order nor a reason.',
  order_version_mismatch: 'The venue has retired this way of placing orders: update stakeport before trading.',
  payload_refused: 'The venue does not understand the order.',
  post_only_would_cross: 'A post-only order would have matched immediately.',
  region_attestation_expired: 'The attestation of the location has lapsed: renew it on the web page of the venue.',
  risk_limit: 'The order would exceed a limit of the venue.',
  self_cross: 'The order would trade with another one of the account.',
  throttled: 'The venue is rate-limiting requests.',
  trading_disabled: 'The venue has paused trading.',
  unauthorized: 'The venue does not accept the API key or the clock.',
  undocumented_answer: 'The venue gave an undocumented answer.',
  unheard: 'The connection ended before a complete answer arrived.',
  venue_failed: 'The venue failed while it worked on the order.',
  venue_rejected: 'The venue refused the order.',
} as const;

/** A code of the table of outcomes. */
export type CreateCode = keyof typeof CREATE_SENTENCES;
