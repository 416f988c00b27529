import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALARM_KINDS } from '../../src/core/alarm/alarm.js';
import { ALARM_MEANINGS } from '../../src/core/alarm/meanings.js';
import { ROOT } from '../support/build.js';

const PAGE = readFileSync(join(ROOT, 'docs/alarms.md'), 'utf8');

describe('docs/alarms.md', () => {
  it.each(ALARM_KINDS)('says when %s is raised, and what to do as the API says it', (kind) => {
    expect(PAGE.match(new RegExp(`^\\| \`${kind}\` \\|( .*)? \\|( .*)? \\|( .*)? \\|$`, 'm'))).not.toBeNull();
    expect(PAGE).toContain(`| \`${kind}\` | ${ALARM_MEANINGS[kind].whatToDo} |`);
  });
});
