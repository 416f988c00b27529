import type { RulesDraft } from '../../src/core/strategy/rules/rules.js';
import { price, usdc } from './builders.js';

/** Every member that only a strategy that trades by itself needs. */
export const EVERYTHING: RulesDraft = {
  match: { market: ['moneyline', 'total'], league: ['epl', 'laliga'], events: ['ars-che'], text: 'arsenal' },
  outcome: { role: 'home' },
  window: { fromMs: -86_400_000, toMs: -300_000 },
  phase: 'any',
  filter: {
    minOdds: 1_500_000n,
    minEdge: 20_000n,
    maxSpread: price('0.05'),
    minLiquidity: usdc('100'),
    maxDrift: price('0.03'),
    maxBookAgeMs: 5000,
    maxOverround: 40_000n,
  },
  sizing: { method: 'edge_proportional', value: 20_000n, referenceEdge: 80_000n },
  limits: {
    maxBetsPerOutcome: 1,
    maxBetsPerMarket: 2,
    maxBetsPerEvent: 3,
    maxBetsPerDay: null,
    maxOpen: 5,
    cooldownMs: 60_000,
    eventLoss: usdc('25'),
    dailyLoss: null,
  },
  order: { timeInForce: 'FOK', giveUpAfterMs: 30_000, maxSlippage: price('0.01') },
  exit: {
    takeProfit: { gain: 200_000n },
    stop: { price: price('0.3') },
    beforeStartMs: 600_000,
    afterMs: 172_800_000,
    edgeBelow: 10_000n,
  },
  signal: { name: 'my-model', required: true },
};
