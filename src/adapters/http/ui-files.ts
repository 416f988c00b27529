import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the dashboard, in memory, as it is and compressed. */
export interface UiFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly tag: string;
  readonly encodings: ReadonlyMap<Encoding, Buffer>;
}

/** All files of the dashboard, by their names. */
export type UiFiles = ReadonlyMap<string, UiFile>;

/** The best first. */
const ENCODINGS = ['br', 'gzip'] as const;
const ENDINGS = { br: '.br', gzip: '.gz' } as const;

type Encoding = (typeof ENCODINGS)[number];

/** The name of the page that all pages of the dashboard are. */
export const INDEX = 'index.html';

/** Reads the files that the build lists in `files.json`, with their media types: nothing else is ever served. */
export async function readUiFiles(folder: string): Promise<UiFiles> {
  const listed: Record<string, string> = JSON.parse(await readFile(join(folder, 'files.json'), 'utf8'));
  const files = await Promise.all(
    Object.entries(listed).map(async ([name, type]) => [name, await readUiFile(join(folder, name), type)] as const),
  );
  return new Map(files);
}

async function readUiFile(file: string, type: string): Promise<UiFile> {
  const bytes = await readFile(file);
  const tag = createHash('sha256').update(bytes).digest('base64url');
  const packed = await Promise.all(
    ENCODINGS.map(async (encoding) => [encoding, await readFile(`${file}${ENDINGS[encoding]}`)] as const),
  );
  return { type, bytes, tag, encodings: new Map(packed) };
}

/** The bytes to send to a client with this `Accept-Encoding`: the smallest form that it takes. */
export function encodedFor(
  { bytes, encodings }: UiFile,
  accepted: string,
): { readonly encoding: Encoding | null; readonly bytes: Buffer } {
  const taken = ENCODINGS.find((encoding) => accepts(accepted, encoding));
  const packed = taken === undefined ? undefined : encodings.get(taken);
  return taken === undefined || packed === undefined ? { encoding: null, bytes } : { encoding: taken, bytes: packed };
}

/** A coding that is not named is not sent, `*` or not: every client that takes one names it. */
function accepts(accepted: string, encoding: Encoding): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(\.0{0,3})?$/.test(text));
  });
}
