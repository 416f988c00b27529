const END_OF_9999 = Date.UTC(10_000, 0) - 1;

/** True of a moment that every store keeps and every text of it names: from 1970 to 9999. */
export const isMoment = (date: Date): boolean => date.getTime() >= 0 && date.getTime() <= END_OF_9999;
