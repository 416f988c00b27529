import { addressOf, isKey, signerOf, signHash } from '../key-signature.js';
import { type Login, loginHash } from '../login.js';
import { orderSignature } from '../order-signature.js';
import type { Hex, OrderDomain, OrderStruct, Signer } from '../signer.js';
import { SigningRefused } from '../signing-refused.js';
import { checkChain, checkOrderStruct, checkWallet, type SigningTerms } from './signing-terms.js';

/**
 * Holds a key in this process and signs what its terms cover. A signature is returned only if it recovers to this key's
 * address.
 *
 * The key is held once, outside the garbage-collected heap, in a field that cannot be read, printed or serialised. A
 * JavaScript process cannot promise more: it cannot keep its memory from being swapped out, dumped, or read by a
 * debugger or by another process of the same user, and the curve's WebAssembly clears its input and not its stack.
 */
export class CheckedSigner implements Signer {
  readonly #key: Uint8Array;
  readonly #address: Hex;
  readonly #terms: SigningTerms;

  /**
   * Takes ownership of the key's bytes: no one else may keep them.
   * @throws SigningRefused when they are not a key or not for this wallet; then they are cleared
   */
  constructor(key: Uint8Array, terms: SigningTerms) {
    try {
      if (!isKey(key)) throw new SigningRefused('key', 'The key is not a private key of secp256k1.');
      this.#key = key;
      this.#address = addressOf(key);
      this.#terms = { ...terms };
      checkWallet(this.#address, terms);
    } catch (error) {
      key.fill(0);
      throw error;
    }
  }

  async address(): Promise<Hex> {
    return this.#address;
  }

  async signOrder(order: OrderStruct, domain: OrderDomain): Promise<Hex> {
    const [asked, where] = [{ ...order }, { ...domain }];
    checkOrderStruct(asked, where, this.#address, this.#terms);
    return said(() => orderSignature(asked, where, (hash) => this.#sign(hash)));
  }

  async signLogin(login: Login): Promise<Hex> {
    checkChain(login.chainId, this.#terms.chainId);
    return said(() => this.#sign(loginHash(this.#address, login)));
  }

  #sign(hash: Hex): Hex {
    const signature = signHash(hash, this.#key);
    if (signerOf(hash, signature) !== this.#address.toLowerCase()) {
      throw new SigningRefused(
        'signature',
        'The signature does not recover to the address of the key; nothing was given out.',
      );
    }
    return signature;
  }
}

function said(sign: () => Hex): Hex {
  try {
    return sign();
  } catch (error) {
    if (error instanceof RangeError) throw new SigningRefused('field', error.message);
    throw error;
  }
}
