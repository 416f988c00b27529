// A server started from a program, with a venue of its own: one market, whose only other trader is that of own-exchange.ts. It
// places a paper order there; one with real money would go to OwnExchange.
import { type BookView, type Market, type MarketData, marketId, price, shares, usdc, venueName } from 'stakeport';
import { answers, unlistedMarket } from 'stakeport/core';
import { startServer } from 'stakeport/server';
import { marketDataContract } from 'stakeport/testing';
import { OwnExchange } from './own-exchange.js';

const MARKET: Market = {
  ...unlistedMarket(marketId('rain'), venueName('own')),
  slug: 'rain',
  question: 'Will it rain?',
  outcomes: [
    { label: 'Rain', tokenId: '1' },
    { label: 'No rain', tokenId: '2' },
  ],
  status: 'open',
  terms: {
    tick: price('0.01'),
    minShares: shares('1'),
    minNotional: usdc('0.01'),
    fee: { rate: 0n, exponent: 1, takerOnly: true, asOf: new Date(0) },
    negRisk: false,
    acceptingOrders: true,
    delaySeconds: 0,
    clearsBookAtStart: false,
  },
};
const BOOK = {
  bids: [{ price: price('0.40'), shares: shares('10') }],
  asks: [{ price: price('0.60'), shares: shares('10') }],
};

/** The quotes of OwnExchange: always the same book. */
class OwnMarkets implements MarketData {
  readonly venue = MARKET.venue;
  find = async (id: string) => (id === MARKET.id ? MARKET : undefined);
  search: MarketData['search'] = async (query) => ({ items: answers(MARKET, query) ? [MARKET] : [], next: null });
  book = async (): Promise<BookView> => ({ ...BOOK, at: new Date(), fresh: true });
  follow: MarketData['follow'] = async (_, listener) => {
    await listener({ type: 'book', ...BOOK, at: new Date() });
    return { stop: () => {} };
  };
}

// What the service relies on. A source that breaks one of them says which.
for (const { check } of marketDataContract(async () => ({ source: new OwnMarkets(), open: MARKET.id }))) await check();

const server = await startServer({
  env: { DATABASE_URL: 'memory:', PORT: '0', LOG_LEVEL: 'warn' },
  venues: { own: { marketData: new OwnMarkets(), exchange: new OwnExchange() } },
});
const body = JSON.stringify({ market_id: 'rain', token: 'YES', price: 0.6, size_usdc: 3 });
const headers = { 'content-type': 'application/json' };
const answer = await fetch(`${server.url}/v1/exchange/orders`, { method: 'POST', headers, body });
const { status, filled_shares, outcome_label } = JSON.parse(await answer.text());
console.log(`${status}: ${filled_shares} shares of ${outcome_label}`);
await server.close();
