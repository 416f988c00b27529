import { armsOf, componentOf, isAmount, type Schema, shapeOf, wordsOf } from './schema.js';
import { docstring, identifier, pascal, quoted, singular, wrapped } from './text.js';

/** How answers write decimals. */
const DECIMAL = /^\^\(\?!\^\[-\+\.\]\*\$\)/;
/** Enumerations with more words get a name of their own. */
const SHORT = 3;
/** Variants of a union that are not well named after their first member: by one that only they have. */
const VARIANTS: Readonly<Record<string, string>> = {
  'MarketStreamData.bids': 'BookUpdate',
  'MarketStreamData.side': 'TradeUpdate',
  'MarketStreamData.payout': 'ResultUpdate',
  'MarketStreamData.reason': 'GapUpdate',
};
/** Names that are used so often that they are short. */
const RENAMED: Readonly<Record<string, string>> = {
  AlarmsItem: 'Alarm',
  BetBy: 'ResultBy',
  BookUpdateBid: 'BookLevel',
  EventAccountAccount: 'AccountState',
  EventAlarmAlarm: 'RaisedAlarm',
  EventCashCash: 'CashMovement',
  EventData: 'Event',
  EventLossesLosses: 'MeasuredLosses',
  EventTradingTrading: 'TradingState',
  MarketHistoryItem: 'MarketHistoryPoint',
  RaisedAlarmKind: 'AlarmKind',
  ResultPlotsItem: 'ResultPlot',
  RulesOrderTimeInForce: 'TimeInForce',
  SignalSignal: 'Signal',
  SkipCountsItem: 'SkipCount',
  StrategyRules: 'Rules',
  StrategyStrategy: 'Strategy',
};

type Direction = 'in' | 'out';

/** Turns the schemas of a document into types of Python, and keeps the declarations that these need. */
export class Types {
  readonly #named = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** By name, in the order in which they were needed. */
  readonly declarations = new Map<string, readonly string[]>();

  constructor(private readonly components: Readonly<Record<string, Schema>>) {
    for (const [name, schema] of Object.entries(components)) {
      this.#taken.add(name);
      if (schema.properties !== undefined) this.#named.set(`out ${shapeOf(schema)}`, name);
    }
  }

  /** The type of what the service answers. `name` is what a new class would be called. */
  answered(schema: Schema, name: string): string {
    return this.#typeOf(schema, name, 'out');
  }

  /** The type of what a client sends. */
  sent(schema: Schema, name: string): string {
    return this.#typeOf(schema, name, 'in');
  }

  /** The class of a component. */
  component(name: string): string {
    const schema = this.components[name];
    if (schema === undefined) throw new Error(`The document has no component ${name}`);
    return schema.properties === undefined ? this.answered(schema, name) : this.#declared(schema, name, 'out', name);
  }

  #typeOf(schema: Schema, path: string, direction: Direction): string {
    const name = RENAMED[path] ?? path;
    const component = componentOf(schema);
    if (component !== undefined) return this.component(component);
    const { arms, isNullable } = armsOf(schema);
    const nullable = isNullable ? ' | None' : '';
    const [only] = arms;
    if (arms.length === 1 && only !== undefined) return `${this.#single(only, name, direction)}${nullable}`;
    if (direction === 'in' && isAmount(arms)) return `Amount${nullable}`;
    const types = arms.map((arm) => this.#single(arm, this.#variantName(arm, name), direction));
    const hasVariants = direction === 'out' && arms.some(({ properties }) => properties !== undefined);
    return `${[...new Set(types), ...(hasVariants ? ['Mapping[str, Any]'] : [])].join(' | ')}${nullable}`;
  }

  #variantName({ properties }: Schema, name: string): string {
    const members = Object.keys(properties ?? {});
    const own = members.map((member) => VARIANTS[`${name}.${member}`]).find((known) => known !== undefined);
    const kind = properties?.['kind']?.const;
    return own ?? (kind === undefined ? `${name}${pascal(members[0] ?? '')}` : pascal(`${kind}`));
  }

  #single(schema: Schema, name: string, direction: Direction): string {
    if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`;
    if (schema.enum !== undefined) return this.#enumerated(schema.enum, name);
    switch (schema.type) {
      case 'array': {
        const item = this.#typeOf(schema.items ?? {}, singularised(name), direction);
        return direction === 'out' ? `tuple[${item}, ...]` : `Sequence[${item}]`;
      }
      case 'object':
        return this.#object(schema, name, direction);
      case 'string':
        return textType(schema, direction);
      case 'number':
        return direction === 'out' ? 'Decimal' : 'Amount';
      case 'integer':
        return 'int';
      case 'boolean':
        return 'bool';
      default:
        throw new Error(`${name} has a schema that no type is known for: ${JSON.stringify(schema)}`);
    }
  }

  #enumerated(words: readonly string[], name: string): string {
    const literal = `Literal[${words.map(quoted).join(', ')}]`;
    if (words.length <= SHORT) return literal;
    const key = [...words].sort().join(' ');
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const free = this.#free(name);
    this.#named.set(key, free);
    this.declarations.set(free, [`${free} = Literal[`, ...words.map((word) => `    ${quoted(word)},`), ']']);
    return free;
  }

  #object(schema: Schema, name: string, direction: Direction): string {
    const { properties, additionalProperties: more } = schema;
    if (properties === undefined)
      return `Mapping[str, ${typeof more === 'object' ? this.#typeOf(more, `${name}Value`, direction) : 'Any'}]`;
    const shape = `${direction} ${shapeOf(schema)}`;
    const known = this.#named.get(shape);
    if (known !== undefined && this.declarations.has(known)) return known;
    if (known !== undefined) return this.#declared(schema, known, direction, known);
    if (direction === 'in') return this.#declared(schema, this.#free(`${name}Input`), direction, name);
    // A market in a list has members that one alone has not.
    const own = this.#free(this.#taken.has(name) ? `Listed${name}` : name);
    return this.#declared(schema, own, direction, own);
  }

  #free(name: string): string {
    if (this.#taken.has(name)) throw new Error(`Two types would be called ${name}: name one in RENAMED or VARIANTS`);
    this.#taken.add(name);
    return name;
  }

  /** Declares a class once; `stem` begins the names of what is inside it. */
  #declared(schema: Schema, name: string, direction: Direction, stem: string): string {
    if (this.declarations.has(name)) return name;
    this.#named.set(`${direction} ${shapeOf(schema)}`, name);
    // Its place, before what it needs: annotations are read later.
    this.declarations.set(name, []);
    const fields = Object.entries(schema.properties ?? {}).map(([member, of]) => ({
      member,
      of,
      type: this.#typeOf(of, `${stem}${pascal(member)}`, direction),
      isRequired: schema.required?.includes(member) ?? false,
    }));
    this.declarations.set(name, direction === 'out' ? dataclass(name, schema, fields) : typedDict(name, fields));
    return name;
  }
}

interface Field {
  readonly member: string;
  readonly of: Schema;
  readonly type: string;
  readonly isRequired: boolean;
}

/** The name of what is in a list: of `BetListData` it is `Bet`. */
function singularised(name: string): string {
  if (name.endsWith('ListData')) return name.slice(0, -'ListData'.length);
  return name.endsWith('Data') ? `${name.slice(0, -'Data'.length)}Item` : name.replace(/[a-z]+$/, singular);
}

function textType({ format, pattern = '' }: Schema, direction: Direction): string {
  if (format === 'date-time') return direction === 'out' ? 'datetime' : 'datetime | str';
  return direction === 'out' && DECIMAL.test(pattern) ? 'Decimal' : 'str';
}

function dataclass(name: string, { description }: Schema, fields: readonly Field[]): string[] {
  const shown = [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
  return [
    '@dataclass(frozen=True, slots=True, kw_only=True)',
    `class ${name}(Model):`,
    ...docstring([description ?? `${name}, as the service answers it.`], '    '),
    '',
    ...shown.flatMap(({ member, of, type, isRequired }) => [
      `    ${identifier(member)}: ${isRequired ? type : `${type} | Unset = UNSET`}`,
      ...(wordsOf(of) === '' ? [] : docstring([wordsOf(of)], '    ')),
    ]),
  ];
}

function typedDict(name: string, fields: readonly Field[]): string[] {
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  if (fields.some(({ member }) => identifier(member) !== member)) {
    const total = optional.length === 0 ? '' : ', total=False';
    const members = fields.map(({ member, type }) => `${quoted(member)}: ${quoted(type)}`);
    return [`${name} = TypedDict(${quoted(name)}, {${members.join(', ')}}${total})`];
  }
  const members = (some: readonly Field[]) =>
    some.flatMap(({ member, of, type }) => [...wrapped(wordsOf(of), '    ', '# '), `    ${member}: ${type}`]);
  if (required.length === 0) return [`class ${name}(TypedDict, total=False):`, ...members(optional)];
  if (optional.length === 0) return [`class ${name}(TypedDict):`, ...members(required)];
  return [
    `class _${name}(TypedDict):`,
    ...members(required),
    '',
    '',
    `class ${name}(_${name}, total=False):`,
    ...members(optional),
  ];
}
