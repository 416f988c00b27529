import { stat } from 'node:fs/promises';
import type { AsyncBuffer, Compressors, DecodedArray, FileMetaData, SchemaElement } from 'hyparquet';
import { ImportRefused } from './import-refused.js';
import type { WholeLevel } from './rebuilt-book.js';

/** How the values of a column are given: exact, or not at all. */
export type ColumnKind =
  /** Text, also where it is stored as bytes of a fixed length. */
  | 'text'
  /** Milliseconds since 1970. */
  | 'moment'
  /** The same, where a part of a millisecond counts as a whole one. */
  | 'moment_up'
  /** A list of pairs of decimals, whose members are called 1 and 2. */
  | 'levels'
  /** A decimal, as whole millionths. */
  | 'micro'
  /** A whole number that nobody reads. */
  | 'whole';

/** The columns of a schema that is known, each with its kind. */
export type ParquetColumns = Readonly<Record<string, ColumnKind>>;

/** A part of a file with its own statistics: rows from `begin` up to `end`. */
export interface RowGroupRows {
  readonly begin: number;
  readonly end: number;
}

type Hyparquet = typeof import('hyparquet');

/** The packages that read Parquet, loaded when a file is. @throws ImportRefused where they are not installed */
async function loaded(): Promise<{ readonly parquet: Hyparquet; readonly compressors: Compressors }> {
  try {
    const [parquet, { compressors }, zlib] = await Promise.all([
      import('hyparquet'),
      import('hyparquet-compressors'),
      import('node:zlib'),
    ]);
    // Node has its own from 22.15 on, which takes a fraction of the time.
    const native = (zlib as { readonly zstdDecompressSync?: (input: Uint8Array) => Uint8Array }).zstdDecompressSync;
    return { parquet, compressors: { ...compressors, ...(native && { ZSTD: (input) => native(input) }) } };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ImportRefused(
      null,
      'Parquet files are read by two optional packages: npm install hyparquet hyparquet-compressors',
    );
  }
}

/** A Parquet file whose columns are read in parts, without a double on the way. */
export class ParquetFile {
  readonly rowCount: number;
  readonly bytes: number;
  readonly groups: readonly RowGroupRows[];
  readonly #readers = new Map<string, Reader>();

  private constructor(
    readonly path: string,
    readonly columns: ParquetColumns,
    private readonly metadata: FileMetaData,
    private readonly file: AsyncBuffer,
    private readonly packages: Awaited<ReturnType<typeof loaded>>,
  ) {
    this.bytes = file.byteLength;
    this.rowCount = Number(metadata.num_rows);
    let end = 0;
    this.groups = metadata.row_groups.map(({ num_rows }) => {
      const begin = end;
      end += Number(num_rows);
      return { begin, end };
    });
  }

  /** Opens a file that has exactly the columns of one of these schemas. @throws ImportRefused */
  static async open<Name extends string>(
    path: string,
    schemas: Readonly<Record<Name, ParquetColumns>>,
  ): Promise<{ readonly file: ParquetFile; readonly schema: Name }> {
    const packages = await loaded();
    await stat(path);
    const buffer = await packages.parquet.asyncBufferFromFile(path);
    const metadata = await packages.parquet.parquetMetadataAsync(buffer).catch(() => {
      throw new ImportRefused(path, 'is not a Parquet file, or only a part of one: fetch it again');
    });
    const elements = columnsOf(metadata.schema);
    const names = elements.map(([{ name }]) => name);
    const known = (Object.keys(schemas) as Name[]).find((name) => isSame(names, Object.keys(schemas[name])));
    if (known === undefined)
      throw new ImportRefused(path, `has the columns ${names.join(', ')}, which no schema known here has`);
    const file = new ParquetFile(path, schemas[known], metadata, buffer, packages);
    for (const [element, ...parts] of elements) file.#prepare(element, parts);
    return { file, schema: known };
  }

  /** Finds out how a column is stored, and has the reader give what is stored: its own conversions make doubles. */
  #prepare(element: SchemaElement, parts: readonly SchemaElement[]): void {
    const kind = this.columns[element.name] as ColumnKind;
    const read = READERS[kind](element, parts);
    if (read === undefined) {
      const stored = [element.type ?? 'a group', element.logical_type?.type ?? element.converted_type].filter(Boolean);
      if (parts.length > 0) stored.push(`of ${parts.map(({ name }) => name).join(', ')}`);
      throw new ImportRefused(
        this.path,
        `has the column ${element.name} as ${stored.join(' ')}, which is not read here`,
      );
    }
    this.#readers.set(element.name, read);
    if (kind === 'text') return;
    for (const stored of kind === 'levels' ? parts.filter(({ type }) => type !== undefined) : [element]) {
      delete stored.converted_type;
      delete stored.logical_type;
    }
  }

  /** Bounds of a column in a part of the file, which its values may not reach; null where its statistics lack them. */
  range(column: string, group: number): readonly [unknown, unknown] | null {
    const chunk = this.metadata.row_groups[group]?.columns.find(
      ({ meta_data }) => meta_data?.path_in_schema[0] === column,
    );
    const { min_value, max_value } = chunk?.meta_data?.statistics ?? {};
    if (min_value === undefined || max_value === undefined) return null;
    // Statistics were converted when the metadata was read.
    return [statistic(min_value), statistic(max_value)];
  }

  /** The texts of a column in rows that lie within these of one part; null where a row has none. @throws ImportRefused */
  async texts(name: string, within: RowGroupRows, rows?: Uint32Array): Promise<readonly (string | null)[]> {
    const raw = await this.#stored(name, within);
    const read = this.#readers.get(name) as (raw: unknown) => string;
    const textAt = (row: number) => (raw[row - within.begin] == null ? null : read(raw[row - within.begin]));
    if (rows !== undefined) return Array.from(rows, textAt);
    return Array.from({ length: within.end - within.begin }, (_, at) => textAt(within.begin + at));
  }

  /** What stands for each text of a column, of which there are few: texts that rows share are looked up once. @throws ImportRefused */
  async codes(name: string, within: RowGroupRows, codeOf: (text: string | null) => number): Promise<Int32Array> {
    const raw = await this.#stored(name, within);
    const read = this.#readers.get(name) as (raw: unknown) => string;
    const codes = new Int32Array(within.end - within.begin);
    let [last, code]: [unknown, number] = [undefined, codeOf(null)];
    for (let at = 0; at < codes.length; at += 1) {
      const value = raw[at] ?? undefined;
      if (value !== last) [last, code] = [value, codeOf(value === undefined ? null : read(value))];
      codes[at] = code;
    }
    return codes;
  }

  /**
   * The moments or decimals of a column, as whole milliseconds or millionths; NaN where a row has none.
   * @throws ImportRefused with the row that cannot be read
   */
  async numbers(name: string, within: RowGroupRows, rows?: Uint32Array): Promise<Float64Array> {
    const raw = await this.#stored(name, within);
    const read = this.#readers.get(name) as (raw: unknown) => number;
    const many = rows?.length ?? within.end - within.begin;
    const numbers = new Float64Array(many).fill(Number.NaN);
    for (let at = 0; at < many; at += 1) {
      const row = rows?.[at] ?? within.begin + at;
      const value: unknown = raw[row - within.begin];
      if (value === null || value === undefined) continue;
      try {
        numbers[at] = read(value);
      } catch (error) {
        throw new ImportRefused(this.path, `${name} ${(error as Error).message}`, row);
      }
    }
    return numbers;
  }

  /** The lists of pairs of a column, each in whole millionths; none where a row has no list. @throws ImportRefused with the row */
  async levels(name: string, within: RowGroupRows, rows: Uint32Array): Promise<readonly (readonly WholeLevel[])[]> {
    const raw = await this.#stored(name, within);
    const read = this.#readers.get(name) as (raw: unknown) => readonly WholeLevel[];
    return Array.from(rows, (row) => {
      try {
        return read(raw[row - within.begin] ?? []);
      } catch (error) {
        throw new ImportRefused(this.path, `${name} ${(error as Error).message}`, row);
      }
    });
  }

  /** What is stored of a column in some rows of one part. */
  async #stored(name: string, { begin, end }: RowGroupRows): Promise<ArrayLike<unknown>> {
    const { parquet, compressors } = this.packages;
    try {
      const { file, metadata } = this;
      const scan = await parquet.parquetScan({
        file,
        metadata,
        columns: [name],
        compressors,
        rowStart: begin,
        rowEnd: end,
      });
      return (await scan.readColumn({ column: name, rowStart: begin, rowEnd: end })) as DecodedArray;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ImportRefused(this.path, `the column ${name} cannot be read (${why}): fetch the file again`, begin);
    }
  }
}

/** The columns of a file, each with the parts that it consists of. */
function columnsOf([root, ...elements]: readonly SchemaElement[]): readonly (readonly [
  SchemaElement,
  ...SchemaElement[],
])[] {
  const columns: [SchemaElement, ...SchemaElement[]][] = [];
  const sizeAt = (at: number): number => {
    let size = 1;
    for (let child = 0; child < (elements[at]?.num_children ?? 0); child += 1) size += sizeAt(at + size);
    return size;
  };
  for (let at = 0; columns.length < (root?.num_children ?? 0); ) {
    const [element, ...parts] = elements.slice(at, at + sizeAt(at));
    if (element === undefined) break;
    columns.push([element, ...parts]);
    at += 1 + parts.length;
  }
  return columns;
}

const isSame = (found: readonly string[], known: readonly string[]): boolean =>
  found.length === known.length && known.every((name) => found.includes(name));

const ascii = new TextDecoder('latin1');
const textOf = (raw: unknown): string => (typeof raw === 'string' ? raw : ascii.decode(raw as Uint8Array));

/** Rows that follow each other mostly share what a dictionary holds once. */
function textReader(): (raw: unknown) => string {
  let [last, text]: [unknown, string] = [undefined, ''];
  return (raw) => {
    if (raw !== last) [last, text] = [raw, textOf(raw)];
    return text;
  };
}

function statistic(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return value instanceof Uint8Array ? textOf(value) : value;
}

type Reader = (raw: unknown) => unknown;
type ReaderOf = (element: SchemaElement, parts: readonly SchemaElement[]) => Reader | undefined;

const isWhole = ({ type }: SchemaElement): boolean => type === 'INT32' || type === 'INT64';
const isBytes = ({ type }: SchemaElement): boolean => type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';

/** How a stored value becomes one of this kind; undefined where the column is stored in another way. */
const READERS: Readonly<Record<ColumnKind, ReaderOf>> = {
  text: (element) => (isBytes(element) ? textReader() : undefined),
  whole: (element) => (isWhole(element) ? Number : undefined),
  moment: (element) => momentReader(element, 0n),
  moment_up: (element) => momentReader(element, 1n),
  micro(element) {
    const { logical_type, converted_type } = element;
    const scale = logical_type?.type === 'DECIMAL' ? logical_type.scale : (element.scale ?? 0);
    if (logical_type?.type !== 'DECIMAL' && converted_type !== 'DECIMAL') return undefined;
    if (!isWhole(element) && !isBytes(element)) return undefined;
    return inMicro(scale);
  },
  levels(element, parts) {
    const [price, shares, ...others] = parts.filter(({ type }) => type !== undefined);
    if (!isList(element) || price?.name !== '1' || shares?.name !== '2' || others.length > 0) return undefined;
    const readers = [READERS.micro(price, []), READERS.micro(shares, [])] as const;
    if (readers.includes(undefined)) return undefined;
    const [priceOf, sharesOf] = readers as readonly [Reader, Reader];
    return (raw) =>
      (raw as readonly Readonly<Record<string, unknown>>[]).map(({ 1: at, 2: many }): WholeLevel => {
        if (at == null || many == null) throw new TypeError('has a level without a price or a size');
        return [priceOf(at) as number, sharesOf(many) as number];
      });
  },
};

const isList = ({ logical_type, converted_type }: SchemaElement): boolean =>
  logical_type?.type === 'LIST' || converted_type === 'LIST';

/** Moments of an element, or undefined where it has none; `rest` is 1 where a part of a millisecond counts as a whole one. */
function momentReader({ type, logical_type, converted_type }: SchemaElement, rest: bigint): Reader | undefined {
  const unit = logical_type?.type === 'TIMESTAMP' ? logical_type.unit : converted_type?.replace('TIMESTAMP_', '');
  const parts = PARTS_OF_A_MILLISECOND.get(unit);
  if (type !== 'INT64' || parts === undefined) return undefined;
  return parts === 1n ? Number : (raw) => Number(((raw as bigint) + rest * (parts - 1n)) / parts);
}

const PARTS_OF_A_MILLISECOND: ReadonlyMap<string | undefined, bigint> = new Map([
  ['MILLIS', 1n],
  ['MICROS', 1000n],
  ['NANOS', 1_000_000n],
]);

const MICRO_DECIMALS = 6;

/** How a decimal with so many digits after the point becomes whole millionths, which are exact as a number. */
function inMicro(scale: number): Reader {
  const [more, fewer] = [10 ** Math.max(0, MICRO_DECIMALS - scale), 10 ** Math.max(0, scale - MICRO_DECIMALS)];
  return (raw) => {
    const unscaled = raw instanceof Uint8Array ? Number(signed(raw)) : Number(raw as number | bigint);
    if (unscaled % fewer !== 0) throw new TypeError(`has more than ${MICRO_DECIMALS} decimals`);
    const micro = (unscaled / fewer) * more;
    if (!Number.isSafeInteger(unscaled) || !Number.isSafeInteger(micro)) throw new TypeError('is too large');
    return micro;
  };
}

/** A big-endian number in two's complement, as decimals of a fixed length are stored. */
function signed(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  return ((bytes[0] ?? 0) & 0x80) === 0 ? value : value - 256n ** BigInt(bytes.length);
}
