import { formatMicro, type Usdc } from '../../../../core/money.js';
import { CHAINS } from '../exchanges.js';
import type { Hex, OrderDomain, OrderStruct } from '../signer.js';
import { SigningRefused } from '../signing-refused.js';

/** Everything that a signer agrees to sign for. */
export interface SigningTerms {
  readonly chainId: number;
  /** The type of wallet (`polymarket.md` 1): 0 a plain key, 1 a proxy, 2 a Safe, 3 a deposit wallet. */
  readonly signatureType: 0 | 1 | 2 | 3;
  /** The wallet that pays; the address of the key when absent, which only a plain key allows. */
  readonly funder?: Hex | undefined;
  /** The address that the key must have; any when absent. */
  readonly address?: Hex | undefined;
  /** The most dollars that one order may spend, or request for what it sells. */
  readonly notionalCap: Usdc;
  /** The only builder that an order may name, since a builder may take a fee; none when absent. */
  readonly builder?: Hex | undefined;
}

const MOST_SALT = BigInt(Number.MAX_SAFE_INTEGER);
const NO_BUILDER: Hex = `0x${'0'.repeat(64)}`;
const BUY = 0;
const DEPOSIT_WALLET = 3;

/** Refuses a key that is not the configured one, and an impossible wallet or chain. @throws SigningRefused */
export function checkWallet(address: Hex, terms: SigningTerms): void {
  const { address: expected = address, signatureType, funder, chainId } = terms;
  if (!CHAINS.includes(chainId)) throw new SigningRefused('chain', `The venue has no contracts on chain ${chainId}.`);
  if (!same(address, expected)) {
    throw new SigningRefused('key', `The key has the address ${address}, and ${expected} is configured.`);
  }
  if (signatureType === 0 && !same(address, funder ?? address)) {
    throw new SigningRefused('wallet', `Wallet type 0 pays from its own address ${address}, and not from ${funder}.`);
  }
  if (signatureType !== 0 && funder === undefined) {
    throw new SigningRefused('wallet', `Wallet type ${signatureType} needs the address of the wallet that pays.`);
  }
}

/** Refuses an order that the terms do not cover. @throws SigningRefused */
export function checkOrderStruct(order: OrderStruct, domain: OrderDomain, address: Hex, terms: SigningTerms): void {
  const { chainId, signatureType, funder = address, builder = NO_BUILDER } = terms;
  const signer = signatureType === DEPOSIT_WALLET ? funder : address;
  checkChain(domain.chainId, chainId);
  expectThat(order.signatureType === signatureType, 'wallet', `the wallet type is ${signatureType}`);
  expectThat(same(order.maker, funder), 'maker', `the funds are those of ${funder}`);
  expectThat(same(order.signer, signer), 'signer', `the signer is ${signer}`);
  expectThat(same(order.builder, builder), 'builder', `the builder is ${builder}`);
  expectThat(order.salt <= MOST_SALT, 'field', 'the salt is below 2^53');
  checkMoney(order, terms.notionalCap);
}

/** Refuses a chain other than the one served. @throws SigningRefused */
export function checkChain(chainId: number, served: number): void {
  expectThat(chainId === served, 'chain', `the chain is ${served}`);
}

function checkMoney({ side, makerAmount, takerAmount }: OrderStruct, cap: Usdc): void {
  expectThat(side === 0 || side === 1, 'field', 'the side is 0 or 1');
  const [dollars, shares] = side === BUY ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
  expectThat(0n < dollars && dollars < shares, 'price', 'a share costs more than nothing and less than 1 USDC');
  expectThat(dollars <= cap, 'notional', `one order is worth at most ${formatMicro(cap)} USDC`);
}

function expectThat(holds: boolean, guard: SigningRefused['guard'], term: string): void {
  if (!holds) throw new SigningRefused(guard, `This signer signs only where ${term}.`);
}

const same = (one: Hex, other: Hex): boolean => one.toLowerCase() === other.toLowerCase();
