import { createRequire } from 'node:module';
import { OrderBuilder, type Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { limitAmounts } from '../dist/adapters/polymarket/signing/amounts.js';
import { EXCHANGES } from '../dist/adapters/polymarket/signing/exchanges.js';
import { signHash } from '../dist/adapters/polymarket/signing/key-signature.js';
import { orderSignature } from '../dist/adapters/polymarket/signing/order-signature.js';
import { salt } from '../dist/adapters/polymarket/signing/salt.js';
import type { OrderStruct } from '../dist/adapters/polymarket/signing/signer.js';
import { CheckedSigner } from '../dist/adapters/polymarket/signing/signers/checked-signer.js';
import { price, shares, usdc } from '../test/support/builders.js';
import { only } from './figures.js';
import {
  type Contender,
  expectSame,
  interleaved,
  median,
  type Part,
  processorMs,
  ratio,
  table,
  whole,
} from './rounds.js';

const ORDERS = 1_000;
/** The first key of Anvil and Hardhat, which is public. */
const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const POLYGON = { chainId: 137, negRisk: false };
const TOKEN = 71_321_045_679_252_212_594_626_385_532_706_912_750_332_728_571_942_532_289_631_379_312_455_583_992_563n;
const HASH = `0x${'5a'.repeat(32)}` as const;
const NOTHING = `0x${'0'.repeat(64)}` as const;

const account = privateKeyToAccount(`0x${KEY}`);
const key = Uint8Array.from(Buffer.from(KEY, 'hex'));
const wallet = createWalletClient({ account, transport: http('http://127.0.0.1:9') });
const signer = new CheckedSigner(Uint8Array.from(key), { chainId: 137, signatureType: 0, notionalCap: usdc('100') });
/** The official client includes this wallet, and accepts it as well as one of viem. */
const { Wallet } = createRequire(import.meta.resolve('@polymarket/clob-client-v2'))('@ethersproject/wallet');
const builders = { viem: new OrderBuilder(wallet, 137), ethers: new OrderBuilder(new Wallet(`0x${KEY}`), 137) };

const word = (name: string, type = 'uint256') => ({ name, type });
const TYPES = {
  Order: [
    word('salt'),
    word('maker', 'address'),
    word('signer', 'address'),
    ...['tokenId', 'makerAmount', 'takerAmount'].map((name) => word(name)),
    word('side', 'uint8'),
    word('signatureType', 'uint8'),
    word('timestamp'),
    word('metadata', 'bytes32'),
    word('builder', 'bytes32'),
  ],
};
const DOMAIN = {
  name: 'Polymarket CTF Exchange',
  version: '2',
  chainId: 137,
  verifyingContract: EXCHANGES.standard,
} as const;

/** An order that differs from the previous one only by its salt. */
function order(): OrderStruct {
  return {
    ...limitAmounts('BUY', price('0.57'), shares('17.54'), price('0.01')),
    salt: salt(),
    maker: account.address,
    signer: account.address,
    tokenId: TOKEN,
    side: 0,
    signatureType: 0,
    timestamp: BigInt(Date.now()),
    metadata: NOTHING,
    builder: NOTHING,
  };
}

const byViem = (struct: OrderStruct): Promise<string> =>
  account.signTypedData({ domain: DOMAIN, types: TYPES, primaryType: 'Order', message: { ...struct } });

const alone = (struct: OrderStruct): string => orderSignature(struct, POLYGON, (hash) => signHash(hash, key));

async function byOfficialClient(signedWith: 'viem' | 'ethers'): Promise<string> {
  const wish = { tokenID: `${TOKEN}`, side: 'BUY' as Side, price: 0.57, size: 17.54 };
  const signed = await builders[signedWith].buildOrder(wish, { tickSize: '0.01', negRisk: false }, 2);
  return signed.signature;
}

const VIEM = "viem's signTypedData";
const OFFICIAL = "the official client's builder, with the wallet that it includes";

const CONTENDERS: readonly Contender<number>[] = [
  timed(VIEM, () => byViem(order())),
  timed("the official client's builder, with a wallet of viem", () => byOfficialClient('viem')),
  timed(OFFICIAL, () => byOfficialClient('ethers')),
  timed('ours: the signature alone, of a hash known before', () => signHash(HASH, key)),
  timed('ours: amounts, hash and signature', () => alone(order())),
  timed('ours as it runs: checked before, and recovered after', () => signer.signOrder(order(), POLYGON)),
];

/** Microseconds of processor time an order. */
function timed(name: string, sign: () => string | Promise<string>): Contender<number> {
  return {
    name,
    run: async () => {
      const began = process.cpuUsage();
      for (let number = 0; number < ORDERS; number++) await sign();
      return (1000 * processorMs(began)) / ORDERS;
    },
  };
}

/** The time to sign one order with a plain key, in one thread, compared with the usual libraries. */
export const signing: Part = async ({ rounds }) => {
  const struct = order();
  expectSame('our signature', alone(struct), await byViem(struct));
  expectSame('the signature as it runs', await signer.signOrder(struct, POLYGON), await byViem(struct));
  await interleaved(CONTENDERS, 2);
  const times = await interleaved(CONTENDERS, rounds);
  const rows = CONTENDERS.map(({ name }) => {
    const own = times(name);
    const faster = (than: string) => ratio(times(than), own).toFixed(2);
    return [name, whole(median(own)), whole(1e6 / median(own)), faster(VIEM), faster(OFFICIAL)];
  });
  const head = ['', 'µs of processor time an order', 'orders a second', 'x viem', 'x the official client'];
  return only(`Signing: one order, from its price and size to its signature\n\n${table(head, rows)}`);
};
