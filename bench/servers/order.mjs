import { randomUUID } from 'node:crypto';

/** An answer of the size and shape that the service gives to an order. */
export function answerTo({ market_id, token, price, size_usdc }) {
  return {
    id: randomUUID(),
    market_id,
    market_slug: null,
    condition_id: null,
    question_snapshot: null,
    token,
    side: 'BUY',
    price: String(price),
    size_usdc: String(size_usdc),
    status: 'filled',
    paper: true,
    clob_order_id: `paper-${randomUUID()}`,
    filled_size_usdc: String(size_usdc),
    return_usdc: null,
    error: null,
    placed_at: new Date().toISOString(),
    settled_at: null,
  };
}
