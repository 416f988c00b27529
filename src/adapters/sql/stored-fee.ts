import type { FeeRounding, FeeSchedule } from '../../core/market/fee.js';
import { type Cell, flagIn, momentIn, stamp, textIn, wholeIn } from './columns.js';

/** A fee schedule as canonical JSON; the rate is a string of digits, as all amounts in documents. */
export function encodeFee({ rate, exponent, takerOnly, asOf, makerRate, rounding }: FeeSchedule): string {
  const more = {
    ...(makerRate !== undefined && { makerRate: makerRate.toString() }),
    ...(rounding !== undefined && { rounding: encodeRounding(rounding) }),
  };
  return JSON.stringify({ rate: rate.toString(), exponent, takerOnly, asOf: stamp(asOf), ...more });
}

function encodeRounding({ balanceStep, step, ...known }: FeeRounding): StoredRounding {
  const more = balanceStep !== undefined && { balanceStep: balanceStep.toString() };
  return { step: step.toString(), ...known, ...more };
}

function decodeRounding({ balanceStep, step, ...known }: StoredRounding): FeeRounding {
  return { ...known, step: BigInt(step), ...(balanceStep !== undefined && { balanceStep: BigInt(balanceStep) }) };
}

type StoredRounding = Omit<FeeRounding, 'step' | 'balanceStep'> & {
  readonly step: string;
  readonly balanceStep?: string;
};

/** The fee schedule in such a text. */
export function decodeFee(json: string): FeeSchedule {
  const { makerRate, rounding, ...known } = JSON.parse(json) as Record<string, Cell> & { rounding?: StoredRounding };
  const { rate, exponent, takerOnly, asOf } = known;
  return {
    rate: BigInt(textIn(rate)),
    exponent: wholeIn(exponent),
    takerOnly: flagIn(takerOnly),
    asOf: momentIn(asOf),
    ...(makerRate !== undefined && { makerRate: BigInt(textIn(makerRate)) }),
    ...(rounding !== undefined && { rounding: decodeRounding(rounding) }),
  };
}
