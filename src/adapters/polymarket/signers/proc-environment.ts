import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

const MOST_BYTES = 4_194_304;
/**
 * Of the start of the environment in `/proc/self/stat`, counted from the state that follows the program's name
 * (proc(5)).
 */
const ENV_START = 47;

/**
 * Overwrites with zeros the value that `/proc/self/environ` shows for a variable. Delete the variable, or set it anew: what
 * reads these bytes gets nothing from then on. True when the value was found and erased; false where the system has
 * no such file or does not let a process write there.
 */
export function eraseFromProc(name: string): boolean {
  try {
    return erase(name, environmentRange());
  } catch {
    return false;
  }
}

interface Range {
  readonly start: number;
  readonly length: number;
}

function environmentRange(): Range {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [start = 0, end = 0] = fields.slice(ENV_START, ENV_START + 2).map(Number);
  return { start, length: Math.min(end - start, MOST_BYTES) };
}

function erase(name: string, { start, length }: Range): boolean {
  const memory = openSync('/proc/self/mem', 'r+');
  const found = Buffer.from(new ArrayBuffer(1 + length));
  try {
    readSync(memory, found, 1, length, start);
    const variable = Buffer.from(`\0${name}=`);
    const at = found.indexOf(variable);
    if (at === -1) return false;
    const value = at + variable.length;
    const end = found.indexOf(0, value);
    const zeros = Buffer.alloc((end === -1 ? found.length : end) - value);
    return writeSync(memory, zeros, 0, zeros.length, start - 1 + value) === zeros.length;
  } finally {
    found.fill(0);
    closeSync(memory);
  }
}
