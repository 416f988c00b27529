import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';
import { mistakes } from './mistakes.js';

describe('a day', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])('may begin at midnight in %s', (DAY_ZONE) => {
    expect(readConfig({ DAY_ZONE }).dayZone).toBe(DAY_ZONE);
  });

  it.each(['Berlin', 'Europe/Berlinn', '+02:00', 'local'])('may not begin in %s', (DAY_ZONE) => {
    expect(mistakes({ DAY_ZONE })).toEqual([
      'DAY_ZONE must be a time zone of the IANA database, such as UTC, Europe/Berlin or America/New_York',
    ]);
  });
});
