import { describe, expect, it } from 'vitest';
import { valuesIn } from '../../src/settings/proc-environment.js';

const block = (...entries: readonly string[]) => Buffer.from(entries.map((entry) => `${entry}\0`).join(''));
const shown = (found: Buffer, name: string) =>
  valuesIn(found, name).map(({ start, length }) => found.toString('utf8', start, start + length));

describe('The values of a variable in an environment', () => {
  it('are all found, also where it is set more than once', () => {
    const found = block('PEPPER=first', 'HOME=/', 'PEPPER=second', 'PEPPER=');
    expect(shown(found, 'PEPPER')).toEqual(['first', 'second', '']);
  });

  it('are never those of another variable, regardless of its name or value', () => {
    const found = block('OLD_PEPPER=a', 'PEPPERS=b', 'NOTE=PEPPER=c', 'pepper=d');
    expect(shown(found, 'PEPPER')).toEqual([]);
  });

  it('end with the block where nothing else ends them', () => {
    expect(shown(Buffer.from('HOME=/\0PEPPER=cut off'), 'PEPPER')).toEqual(['cut off']);
  });
});
