import { formatMicro, type Usdc } from '../money.js';

/** The figures of a refusal, as every sentence about a limit ends. */
export const figures = (lost: string | number, cap: string | number): string => `lost=${lost}, cap=${cap}.`;
/** The same of amounts. */
export const dollars = (lost: Usdc, cap: Usdc): string => figures(formatMicro(lost), formatMicro(cap));
