import { type Chain, ClobClient, OrderType, Side, type SignatureTypeV2 } from '@polymarket/clob-client-v2';
import { createWalletClient, custom } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aMarket } from '../../../support/fake-venue/markets.js';
import { KNOWN_KEY } from '../../../support/fake-venue/plain-client.js';
import { FakeVenue } from '../../../support/fake-venue/venue.js';
import { decimal } from '../../../support/fake-venue/wire.js';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OWN = privateKeyToAccount(KNOWN_KEY).address;
const PLAIN = aMarket('plain');
const NEG_RISK = aMarket('neg risk', { negRisk: true, tick: '0.001' });

interface Placed {
  readonly success: boolean;
  readonly orderID: string;
  readonly status: string;
  readonly makingAmount: string;
  readonly takingAmount: string;
  readonly transactionsHashes: readonly string[];
  readonly error?: string;
}

let venue: FakeVenue;
beforeEach(async () => {
  venue = await FakeVenue.start({ markets: [PLAIN, NEG_RISK] });
});
afterEach(() => venue.close());

/** The official client at the fake venue, with a key that it got there itself; nothing else can be reached. */
async function official(type: 0 | 1 | 2 | 3, privateKey: `0x${string}` = KNOWN_KEY) {
  const account = privateKeyToAccount(privateKey);
  const transport = custom({ request: () => Promise.reject(new Error('there is no chain')) });
  const signer = createWalletClient({ account, chain: polygon, transport });
  const funder = type === 0 ? account.address : WALLET;
  if (type !== 0) venue.wallet(WALLET, account.address, type);
  const terms = {
    host: venue.clob.href,
    chain: 137 as Chain,
    signer,
    signatureType: type as SignatureTypeV2,
    funderAddress: funder,
    throwOnError: true,
  };
  const creds = await new ClobClient({ ...terms, throwOnError: false }).createOrDeriveApiKey();
  venue.fund(funder, '1000');
  for (const market of [PLAIN, NEG_RISK]) venue.grant(funder, market.tokens[0], '100');
  return { client: new ClobClient({ ...terms, creds }), terms, creds, funder };
}

describe.each([0, 1, 2, 3] as const)('the official client with a wallet of type %i', (type) => {
  test('gets a key, and the same one when it asks again', async () => {
    const { client, creds, terms } = await official(type);
    const lenient = new ClobClient({ ...terms, throwOnError: false });
    expect(creds).toMatchObject({ key: expect.stringMatching(/^[0-9a-f-]{36}$/), secret: expect.stringMatching(/=$/) });
    expect(await client.deriveApiKey()).toEqual(creds);
    expect(await lenient.createOrDeriveApiKey()).toEqual(creds);
    expect(await client.getApiKeys()).toEqual({ apiKeys: [creds.key] });
    expect(venue.log.statuses('POST /auth/api-key')).toEqual([200, 400]);
  });

  test.each([
    ['of one contract', PLAIN, 0.45],
    ['of the other contract', NEG_RISK, 0.455],
  ])('rests, reads and cancels orders in a market %s', async (_which, { tokens: [token], conditionId }, price) => {
    const { client } = await official(type);
    const expiration = Math.floor(Date.now() / 1000) + 600;
    const first = (await client.createAndPostOrder({ tokenID: token, price, size: 10, side: Side.BUY })) as Placed;
    const wish = { tokenID: token, price: price + 0.1, size: 12.5, side: Side.SELL, expiration };
    const second = (await client.createAndPostOrder(wish, undefined, OrderType.GTD)) as Placed;
    expect([first, second]).toMatchObject([
      { success: true, status: 'live', makingAmount: '' },
      { success: true, status: 'live' },
    ]);
    expect(venue.accepted(first.orderID)).toBe(true);
    expect(await client.getOrder(first.orderID)).toMatchObject({
      id: first.orderID,
      price: `${price}`,
      status: 'LIVE',
    });
    expect(await client.getOpenOrders({ market: conditionId })).toMatchObject([
      { id: first.orderID, side: 'BUY', original_size: '10', size_matched: '0', order_type: 'GTC', expiration: '0' },
      { id: second.orderID, side: 'SELL', original_size: '12.5', order_type: 'GTD', expiration: `${expiration}` },
    ]);
    expect(await client.cancelOrder({ orderID: first.orderID })).toEqual({
      canceled: [first.orderID],
      not_canceled: {},
    });
    expect(await client.cancelAll()).toEqual({ canceled: [second.orderID], not_canceled: {} });
    expect(await client.getOpenOrders()).toEqual([]);
  });

  test('buys and sells at once, then reads trades and balances', async () => {
    const { client, funder } = await official(type);
    const [token] = PLAIN.tokens;
    venue.offer(token, 'SELL', '0.5', '20');
    venue.offer(token, 'BUY', '0.4', '20');
    const bought = (await client.createAndPostMarketOrder({ tokenID: token, amount: 5, side: Side.BUY })) as Placed;
    expect(bought).toMatchObject({ success: true, status: 'matched', makingAmount: '5', takingAmount: '10' });
    expect(bought.transactionsHashes).toHaveLength(1);
    const wish = { tokenID: token, amount: 30, side: Side.SELL, price: 0.4 };
    const sold = (await client.createAndPostMarketOrder(wish, undefined, OrderType.FAK)) as Placed;
    expect(sold).toMatchObject({ status: 'matched', makingAmount: '20', takingAmount: '8' });
    expect(await client.getTrades({ market: PLAIN.conditionId })).toMatchObject([
      { taker_order_id: sold.orderID, side: 'SELL', size: '20', price: '0.4', trader_side: 'TAKER', status: 'MATCHED' },
      { taker_order_id: bought.orderID, side: 'BUY', size: '10', price: '0.5' },
    ]);
    const money = await client.getBalanceAllowance({ asset_type: 'COLLATERAL' as never });
    expect(money.balance).toBe('1003000000');
    const shares = await client.getBalanceAllowance({ asset_type: 'CONDITIONAL' as never, token_id: token });
    expect(shares.balance).toBe('90000000');
    expect(decimal(venue.account(funder).balanceOf(token))).toBe('90');
  });
});

describe('the venue refuses the official client', () => {
  const wish = { tokenID: PLAIN.tokens[0], price: 0.5, size: 10, side: Side.BUY };

  test('an order that was changed after it was signed', async () => {
    const { client } = await official(0);
    const order = (await client.createOrder(wish)) as { makerAmount: string; takerAmount: string };
    const changed = { ...order, makerAmount: '4000000' } as never;
    await expect(client.postOrder(changed)).rejects.toThrow('invalid signature');
    expect(venue.log.accepted.size).toBe(0);
  });

  test('an order signed for the other contract', async () => {
    const { client } = await official(0);
    const order = await client.createOrder(wish, { tickSize: '0.01', negRisk: true });
    await expect(client.postOrder(order)).rejects.toThrow('invalid signature');
  });

  test.each([
    ['the inner signature', 4],
    ['the domain', 2 + 65 * 2],
    ['the contents', 2 + 97 * 2],
    ['the type', 2 + 129 * 2],
    ['the length', -1],
  ])('the signature of a deposit wallet with %s changed', async (_part, place) => {
    const { client } = await official(3);
    const order = (await client.createOrder(wish)) as { signature: string };
    const digit = order.signature.at(place) === '0' ? '1' : '0';
    const signature = [...order.signature].with(place, digit).join('');
    await expect(client.postOrder({ ...order, signature } as never)).rejects.toThrow('invalid signature');
    expect((await client.postOrder(order as never)) as Placed).toMatchObject({ success: true });
  });

  test('a request signed with another secret', async () => {
    const { terms, creds } = await official(0);
    const client = new ClobClient({ ...terms, creds: { ...creds, secret: `${'A'.repeat(43)}=` } });
    await expect(client.createAndPostOrder(wish)).rejects.toThrow('Unauthorized/Invalid api key');
  });

  test('an order of another signer than the owner of the key', async () => {
    const { creds } = await official(0);
    const stranger = await official(0, generatePrivateKey());
    const client = new ClobClient({ ...stranger.terms, creds });
    await expect(client.createAndPostOrder(wish)).rejects.toThrow('Unauthorized/Invalid api key');
    const order = await (await official(0)).client.createOrder(wish);
    await expect(stranger.client.postOrder(order)).rejects.toThrow('the order signer address has to be');
  });

  test('the same order a second time, which it still has once', async () => {
    const { client } = await official(0);
    const order = await client.createOrder(wish);
    const { orderID } = (await client.postOrder(order)) as Placed;
    await expect(client.postOrder(order)).rejects.toThrow(`order ${orderID} is invalid. Duplicated.`);
    expect(venue.log.posts(orderID)).toEqual({ accepted: 1, duplicate: 1, refused: 0 });
  });

  test('a market order without a match, and an order it cannot pay', async () => {
    const { client } = await official(0);
    const market = { tokenID: PLAIN.tokens[0], amount: 5, price: 0.5, side: Side.BUY };
    await expect(client.createAndPostMarketOrder(market)).rejects.toThrow('fully filled or killed');
    await expect(client.createAndPostMarketOrder(market, undefined, OrderType.FAK)).rejects.toThrow('no orders found');
    await expect(client.createAndPostOrder({ ...wish, size: 5000 })).rejects.toThrow('not enough balance / allowance');
  });

  test('a wallet that is not registered to the key', async () => {
    const { terms, creds } = await official(0);
    const client = new ClobClient({ ...terms, creds, signatureType: 2 as SignatureTypeV2, funderAddress: WALLET });
    await expect(client.createAndPostOrder(wish)).rejects.toThrow('maker address not allowed');
    const deposit = new ClobClient({ ...terms, creds, signatureType: 3 as SignatureTypeV2, funderAddress: WALLET });
    await expect(deposit.createAndPostOrder(wish)).rejects.toThrow('the order signer address has to be');
    expect(OWN).not.toBe(WALLET);
  });
});
