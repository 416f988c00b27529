import type { Config } from './config.js';

/** Whether orders may move real money, at any venue. */
export const movesMoney = ({ live, others }: Pick<Config, 'live' | 'others'>): boolean =>
  live !== null || others.some((venue) => venue.live !== null);
