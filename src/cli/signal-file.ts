import { csvRows } from '../adapters/http/csv.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';

/** A signal as a request has it. */
export interface SignalRow {
  readonly market_id: string;
  readonly probabilities: Readonly<Record<string, string>>;
  readonly expires_at: string;
  readonly source: string | undefined;
  readonly venue: string | undefined;
}

/** What holds of rows whose columns do not say it. */
export interface SignalDefaults {
  readonly name?: string;
  readonly expires?: string;
  readonly source?: string;
  readonly venue?: string;
}

const NEEDED = ['market_id', 'outcome', 'probability'];

/** The signals of each model in a text of CSV, an outcome a row. @throws CommandFailed for a row that lacks something */
export function signalsByModel(
  text: string,
  defaults: SignalDefaults,
  momentIn: (text: string) => string,
): ReadonlyMap<string, readonly SignalRow[]> {
  const [columns = [], ...rows] = rowsIn(text);
  const names = columns.map((name) => name.trim());
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw wrong(`The first line has no column ${missing.join(', ')}`);
  if (rows.length === 0) throw wrong('There is no row below the line of names');
  const models = new Map<string, Map<string, SignalRow>>();
  for (const [at, cells] of rows.entries()) {
    const line = `Row ${at + 1}`;
    const of = (column: string, other?: string) => cells[names.indexOf(column)]?.trim() || other;
    const needed = (column: string, other?: string) => {
      const value = of(column, other);
      if (value === undefined) throw wrong(`${line} has no ${column}`);
      return value;
    };
    const [name, market_id, outcome] = [needed('name', defaults.name), needed('market_id'), needed('outcome')];
    const signals = models.get(name) ?? new Map<string, SignalRow>();
    const before = signals.get(market_id);
    if (before?.probabilities[outcome] !== undefined) throw wrong(`${line} names ${outcome} of ${market_id} again`);
    signals.set(market_id, {
      market_id,
      probabilities: { ...before?.probabilities, [outcome]: needed('probability') },
      expires_at: before?.expires_at ?? read(needed('expires_at', defaults.expires), line, momentIn),
      source: of('source', defaults.source),
      venue: of('venue', defaults.venue),
    });
    models.set(name, signals);
  }
  return new Map([...models].map(([name, signals]) => [name, [...signals.values()]]));
}

function rowsIn(text: string): readonly (readonly string[])[] {
  try {
    return csvRows(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrong(error instanceof Error ? `The file is no CSV: ${error.message}` : 'The file is no CSV');
  }
}

function read(text: string, line: string, momentIn: (text: string) => string): string {
  try {
    return momentIn(text);
  } catch (error) {
    throw wrong(`${line}, expires_at: ${error instanceof Error ? error.message.replace(/\.$/, '') : text}`);
  }
}

const wrong = (words: string): CommandFailed => new CommandFailed(`${words}. Nothing was sent.`, EXIT.usage);
