import type { Usdc } from '../../core/money.js';
import type { Order } from '../../core/order/order.js';
import { VenueUnusable } from '../../core/venues/venues.js';
import type {
  CancelledAll,
  Check,
  ConnectParts,
  VenueConnection,
  VenueExamination,
  VenueWallet,
} from '../../ports/venue-adapter.js';
import { ok } from '../../settings/check.js';
import { examineVenue } from './doctor.js';
import { openConnection } from './execution/connect.js';
import { isOrderOf } from './execution/envelope.js';
import type { PolymarketExchange } from './execution/polymarket-exchange.js';
import { isOver } from './http/cancel-wire.js';
import { POLYMARKET } from './http/venue-name.js';
import type { PolymarketTradingSettings } from './settings.js';
import type { Hex, Signer } from './signing/signer.js';
import { EnvironmentSigner, KeyFileSigner, type SigningTerms } from './signing/signers/index.js';
import { SigningRefused } from './signing/signing-refused.js';

/** A wallet at Polymarket whose key can be used. */
export class PolymarketWallet implements VenueWallet {
  readonly venue = POLYMARKET;
  readonly address: string;
  readonly chosenBy = 'the key and POLYMARKET_FUNDER';

  private constructor(
    private readonly settings: PolymarketTradingSettings,
    private readonly signer: Signer,
    readonly keyAddress: Hex,
  ) {
    this.address = settings.funder ?? keyAddress;
  }

  /** Opens the signer; a key in the environment is removed from there. @throws VenueUnusable when the key cannot be used */
  static async open(settings: PolymarketTradingSettings, orderCap: Usdc): Promise<PolymarketWallet> {
    try {
      const signer = await signerOf(settings, orderCap);
      return new PolymarketWallet(settings, signer, await signer.address());
    } catch (error) {
      if (!(error instanceof SigningRefused)) throw error;
      throw new VenueUnusable(error.code, error.message, false);
    }
  }

  get checks(): readonly Check[] {
    const { signatureType, funder, chainId } = this.settings;
    const pays = signatureType === 0 ? 'the key itself pays' : `${funder} pays`;
    return [
      ok(`The key can be read. Its address is ${this.keyAddress}: make sure that it is yours.`),
      ok(`The wallet is of type ${signatureType}: ${pays}.`),
      ok(`The chain is ${chainId}${chainId === 137 ? '.' : ', which is for tests.'}`),
    ];
  }

  isOwn(order: Order): boolean {
    const { chainId, signatureType, funder } = this.settings;
    return isOrderOf(order, { chainId, signatureType, address: this.keyAddress, funder: funder ?? undefined });
  }

  examine(): Promise<VenueExamination> {
    return examineVenue(this.settings, this.signer);
  }

  async connect({ cancelsOnly, ...parts }: ConnectParts): Promise<VenueConnection> {
    const { clob, stream, chainId, signatureType, funder, credentials } = this.settings;
    const { exchange, redemption, clockOffMs, measureClock, listen, close } = await openConnection({
      clob,
      stream,
      chainId,
      signatureType,
      credentials,
      signer: this.signer,
      ...(funder === null ? {} : { funder }),
      ...parts,
      anyVersion: cancelsOnly,
    });
    return { exchange, redemption, clockOffMs, measureClock, listen, close, cancelAll: () => cancelAll(exchange) };
  }
}

async function signerOf(settings: PolymarketTradingSettings, notionalCap: Usdc): Promise<Signer> {
  const { key, chainId, signatureType, funder } = settings;
  const terms: SigningTerms = { chainId, signatureType, notionalCap, ...(funder === null ? {} : { funder }) };
  if (key.kind === 'environment') return EnvironmentSigner.take(process.env, key.variable, terms);
  return KeyFileSigner.open(key.path, terms);
}

async function cancelAll(exchange: PolymarketExchange): Promise<CancelledAll | null> {
  const result = await exchange.cancelAll();
  if (result.kind === 'no_answer') return null;
  const kept = new Map([...result.refused].filter(([, reason]) => !isOver(reason)));
  return { cancelled: result.cancelled.size, gone: result.refused.size - kept.size, kept };
}
