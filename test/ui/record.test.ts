import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/core/ledger/event-log.js';
import { CHANGES } from '../../src/ui/state/record.js';

describe('the record of changes', () => {
  test('covers only existing event types, without orders, decisions or alarms', () => {
    expect([...CHANGES].filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))).toEqual([]);
    expect([...CHANGES].filter((type) => /^(order|decision|alarm)/.test(type))).toEqual([]);
  });
});
