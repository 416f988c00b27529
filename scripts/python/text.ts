/** The widest line of what is generated. */
const WIDTH = 118;
/** What Python keeps for itself. */
const RESERVED = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

const wordsOf = (text: string): string[] =>
  text.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');

/** `take_profit` and `takeProfit` as `TakeProfit`. */
export const pascal = (text: string): string =>
  wordsOf(text)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/** `listStrategyVersions` as its words, in lower case. */
export const lowerWords = (text: string): string[] => wordsOf(text).map((word) => word.toLowerCase());

/** The name of one of several: `bodies` as `body`, `markets` as `market`. */
export function singular(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** A name that Python takes; one that it keeps for itself gets an underscore. */
export const identifier = (name: string): string => (RESERVED.has(name) ? `${name}_` : name);

/** A text as Python writes it. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Text in lines that are not too long, all indented. */
export function wrapped(text: string, indent: string, prefix = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + prefix.length + longer.length > WIDTH) {
      lines.push(`${indent}${prefix}${line}`);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, `${indent}${prefix}${line}`];
}

/** A docstring of paragraphs. */
export function docstring(paragraphs: readonly string[], indent: string): string[] {
  const shown = paragraphs.map((text) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim());
  const [first = '', ...more] = shown.filter((text) => text !== '');
  const end = first.endsWith('"') ? ' """' : '"""';
  if (more.length === 0 && indent.length + first.length + 6 <= WIDTH) return [`${indent}"""${first}${end}`];
  const body = [first, ...more].flatMap((text, index) => [
    ...(index === 0 ? [] : ['']),
    ...text.split('\n').flatMap((line) => wrapped(line, indent)),
  ]);
  const [head = '', ...rest] = body;
  return [`${indent}"""${head.trimStart()}`, ...rest, `${indent}"""`];
}
