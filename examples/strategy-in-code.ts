// A strategy in code: a program that reads markets, decides by a function, and buys under a strategy, whose caps and limits hold for it.
// It trades at a server, or plays a tape with the same function:
//   npx tsx examples/strategy-in-code.ts home-away 0.58
//   npx tsx examples/strategy-in-code.ts --backtest examples/two-markets.jsonl
// The server: npm start demo
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { formatMicro } from 'stakeport';
import { backtest, backtestResultOf, type SeenOutcome, summaryOf } from 'stakeport/backtest';

/** What is decided by: the best prices of an outcome, what is known of its market, and how often it was bought. */
interface Seen {
  readonly bid: number;
  readonly ask: number;
  readonly status: string;
  readonly bets: number;
}

/** Buys once, in play, for 16 dollars at this price or better, while both sides of the book are close together. */
function decide({ bid, ask, status, bets }: Seen, price: number): { usdc: number; price: number } | null {
  const isTight = ask - bid < 0.065;
  return status === 'in_play' && bets === 0 && isTight && ask <= price ? { usdc: 16, price } : null;
}

const STRATEGY = { name: 'Cheap in play', sport: 'soccer', bankroll_cap: 1000, stake_cap: 20 };
const PRICE = 0.58;
const { env } = process;
const BASE = env['BASE'] ?? env['STAKEPORT_URL'] ?? 'http://127.0.0.1:8080';
const KEY = env['KEY'] ?? env['STAKEPORT_KEY'] ?? '';

/** Plays the function over a tape. */
async function play(tape: string): Promise<void> {
  const best = ([level]: SeenOutcome['book']['bids']) => (level === undefined ? NaN : Number(formatMicro(level.price)));
  const run = await backtest({
    tapes: tape,
    strategies: [
      {
        ...STRATEGY,
        rules: { outcome: { index: 0 }, phase: 'in_play' },
        decide: ({ book, market, bets }) =>
          decide({ bid: best(book.bids), ask: best(book.asks), status: market.status ?? '', bets }, PRICE),
      },
    ],
  });
  console.log(summaryOf(backtestResultOf(run)));
}

async function call<Answer>(method: string, path: string, body?: object, key?: string): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': key }),
  };
  const answer = await fetch(BASE + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const read = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(read.detail);
  return read;
}

/** The events of the stream of markets, for ever: it comes back with the last id, and so misses none that are kept. */
async function* followed(markets: string): AsyncGenerator<{ event?: string | undefined; data: string }> {
  for (let last = ''; ; await new Promise((resolve) => setTimeout(resolve, 1000))) {
    const headers = { authorization: `Bearer ${KEY}`, 'last-event-id': last };
    const answer = await fetch(`${BASE}/v1/exchange/markets/stream?market=${markets}`, { headers }).catch(() => null);
    if (answer === null || answer.status >= 500) continue;
    if (!answer.ok || answer.body === null) throw new Error(await answer.text());
    const events = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    try {
      for await (const one of events) {
        last = one.id ?? last;
        yield one;
      }
    } catch {
      // The connection broke: it is made again.
    }
  }
}

/** Trades by the function at a server, until every market has its result. */
async function trade(markets: string, price: number): Promise<void> {
  // The program decides: nothing trades by these. What bounds losses may stand beside them, as `limits`.
  const rules = { sizing: { method: 'flat', value: 16 }, limits: { daily_loss: 100 } };
  const { id: strategy_id } = await call<{ id: string }>('POST', '/v1/strategies', { ...STRATEGY, rules });
  console.log(`strategy ${strategy_id} follows ${markets}: it buys YES once, in play, at ${price} or better`);
  const status = new Map<string, string>();
  const bought = new Set<string>();
  for await (const { event, data: json } of followed(markets)) {
    const data = JSON.parse(json);
    if (event === 'market') status.set(data.id, data.status);
    if (event === 'result') console.log(`result: YES pays ${data.payout.yes}`);
    if (event === 'result' && [...status.values()].every((one) => one === 'resolved')) return;
    if (event !== 'book' || !data.fresh) continue;
    const { market_id } = data;
    const [bid, ask] = [data.bids[0]?.price, data.asks[0]?.price].map(Number) as [number, number];
    const seen = { bid, ask, status: status.get(market_id) ?? '', bets: Number(bought.has(market_id)) };
    const bet = decide(seen, price);
    if (bet === null) continue;
    bought.add(market_id);
    const body = {
      ...{ market_id, token: 'YES', price: bet.price, size_usdc: bet.usdc },
      ...{ time_in_force: 'FAK', strategy_id },
    };
    // The key makes it one order, however often it is sent.
    const order = await call<Record<string, string>>(
      'POST',
      '/v1/exchange/orders',
      body,
      `${strategy_id}:${market_id}`,
    );
    console.log(
      `bought ${order['filled_shares']} for ${order['filled_size_usdc']}: ${order['error'] ?? order['status']}`,
    );
  }
}

const [first = 'home-away', second = `${PRICE}`] = process.argv.slice(2);
await (first === '--backtest' ? play(second) : trade(first, Number(second)));
