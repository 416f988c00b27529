import type { ServiceIdentifier } from 'inversify';
import type { Desk } from '../core/order/posting.js';
import type { Venues } from '../core/usecases/place-order.js';
import type { Authenticator } from '../ports/authenticator.js';
import type { KeyMaker } from '../ports/key-maker.js';
import type { KeyStore } from '../ports/key-store.js';
import type { Ledger } from '../ports/ledger.js';
import type { MarketData } from '../ports/market-data.js';
import type { Clock, Ids } from '../ports/system.js';

/** A bare `Symbol` would be narrowed to its own type and forget what it stands for. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name);

export const LEDGER = token<Ledger>('Ledger');
export const KEY_STORE = token<KeyStore>('KeyStore');
export const KEY_MAKER = token<KeyMaker>('KeyMaker');
export const MARKET_DATA = token<MarketData>('MarketData');
export const VENUES = token<Venues>('Venues');
export const AUTHENTICATOR = token<Authenticator>('Authenticator');
export const CLOCK = token<Clock>('Clock');
export const IDS = token<Ids>('Ids');
export const DESK = token<Desk>('Desk');
