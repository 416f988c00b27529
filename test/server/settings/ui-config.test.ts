import { expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';

it('the dashboard is there unless it is off, and offers no acts with real money unless it is told to', () => {
  expect(readConfig({}).ui).toEqual({ mayTrade: false });
  expect(readConfig({ UI_TRADING: 'on' }).ui).toEqual({ mayTrade: true });
  expect(readConfig({ UI: 'off', UI_TRADING: 'on' }).ui).toBeNull();
});
