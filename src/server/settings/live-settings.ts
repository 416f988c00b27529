import * as v from 'valibot';
import { sensitive, setting } from './setting.js';
import { address, atLeast, oneOf, present, serviceUrl, text, usdcAboveZero } from './values.js';

const CHAINS = { '137': 137, '80002': 80_002 } as const;
const WALLETS = { '0': 0, '1': 1, '2': 2, '3': 3 } as const;
const filled = atLeast(1);

/** The variables that trading with real money alone needs. */
export const LIVE_SETTINGS = {
  POLYMARKET_CHAIN_ID: setting(
    v.pipe(
      oneOf(['137', '80002']),
      v.transform((id) => CHAINS[id]),
    ),
    '137',
    'The chain of the exchange contracts: 137, or 80002 for tests.',
  ),
  POLYMARKET_PRIVATE_KEY_FILE: setting(
    text,
    null,
    'The file with the key that signs orders: 64 hexadecimal digits, mode 0400. Required with LIVE_TRADING=on.',
  ),
  POLYMARKET_PRIVATE_KEY: sensitive(
    present,
    null,
    'The key itself, in place of the file; it is removed from the environment at start.',
  ),
  POLYMARKET_SIGNATURE_TYPE: setting(
    v.pipe(
      oneOf(['0', '1', '2', '3']),
      v.transform((type) => WALLETS[type]),
    ),
    '0',
    'What kind of wallet pays: 0 the key itself, 1 a proxy, 2 a Safe, 3 a deposit wallet.',
  ),
  POLYMARKET_FUNDER: setting(address, null, 'The address of the wallet that pays; required with wallets 1 to 3.'),
  POLYMARKET_API_KEY: sensitive(
    filled,
    null,
    'Credentials of the trading API, with the next two; they are asked for with the key when all three are unset.',
  ),
  POLYMARKET_API_SECRET: sensitive(filled, null, 'Its secret.'),
  POLYMARKET_API_PASSPHRASE: sensitive(filled, null, 'Its passphrase.'),
  POLYMARKET_GEOBLOCK_URL: setting(
    serviceUrl,
    'https://polymarket.com/api/geoblock',
    'Where stakeport doctor asks whether Polymarket serves this place.',
  ),
  LIVE_MAX_ORDER_USDC: setting(usdcAboveZero, '1000', 'The most that one order with real money may be worth.'),
};

/** True for a variable that means nothing without LIVE_TRADING=on. */
export const isLiveVariable = (variable: string): boolean => Object.hasOwn(LIVE_SETTINGS, variable);
