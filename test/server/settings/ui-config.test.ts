import { expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';

it('the dashboard is on by default, without real-money actions unless enabled', () => {
  expect(readConfig({}).ui).toEqual({ mayTrade: false });
  expect(readConfig({ UI_TRADING: 'on' }).ui).toEqual({ mayTrade: true });
  expect(readConfig({ UI: 'off', UI_TRADING: 'on' }).ui).toBeNull();
});
