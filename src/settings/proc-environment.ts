import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

const MOST_BYTES = 4_194_304;
/**
 * The position of the environment's start in `/proc/self/stat`, counted from the state that follows the program's name
 * (proc(5)).
 */
const ENV_START = 47;

/**
 * Overwrites with zeros the value that `/proc/self/environ` shows for a variable. Delete the variable or set it again
 * afterwards: a reader of these bytes gets nothing from then on. True when the value was found and erased; false where the
 * system has no such file or does not let a process write there.
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
  const found = Buffer.from(new ArrayBuffer(length));
  try {
    readSync(memory, found, 0, length, start);
    const values = valuesIn(found, name);
    const isErased = (value: Range) =>
      writeSync(memory, Buffer.alloc(value.length), 0, value.length, start + value.start) === value.length;
    return values.length > 0 && values.map(isErased).every((done) => done);
  } finally {
    found.fill(0);
    closeSync(memory);
  }
}

/** Where the values of a variable are in an environment block (environ(7)), which may name it more than once. */
export function valuesIn(block: Buffer, name: string): readonly Range[] {
  const values: Range[] = [];
  for (let at = 0; at < block.length; ) {
    const nul = block.indexOf(0, at);
    const end = nul === -1 ? block.length : nul;
    const entry = block.subarray(at, end);
    const from = name.length + 1;
    if (entry.subarray(0, from).equals(Buffer.from(`${name}=`)))
      values.push({ start: at + from, length: end - at - from });
    at = end + 1;
  }
  return values;
}
