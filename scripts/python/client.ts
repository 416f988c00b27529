import { operationClasses } from './operations.js';
import type { Document } from './schema.js';
import { quoted, wrapped } from './text.js';
import { Types } from './types.js';

/** What problems of the service mean for whoever has one: by name, what to do. */
export type Help = Readonly<Record<string, string>>;

const MADE = '# Made from the OpenAPI document by `npm run python:generate`. Changes here are lost.';
/** What streams send: no operation that is generated answers with it. */
const OF_STREAMS = ['Event', 'MarketStreamData'];

/** The generated files of the client in Python, by name. */
export function pythonClient(document: Document, help: Help): Readonly<Record<string, string>> {
  const types = new Types(document.components.schemas);
  const classes = operationClasses(document, types);
  const updates = OF_STREAMS.map((name) => types.component(name));
  const declared = [...types.declarations];
  // Names of what words may be come first: they are evaluated where they stand.
  const isAlias = ([, [first = '']]: [string, readonly string[]]) => first.includes(' = Literal[');
  const aliases = declared.filter(isAlias).flatMap(([, lines]) => [...lines, '']);
  const models = declared.filter((one) => !isAlias(one)).flatMap(([, lines]) => ['', '', ...lines]);
  const used = [...types.declarations.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(classes.join('\n')));
  return {
    'models.py': `${[...modelsHead(), ...aliases, ...models, '', '', `MarketUpdate = ${aliasOf(updates[1] ?? '')}`].join('\n')}\n`,
    'operations.py': `${[...operationsHead(used), '', '', ...classes].join('\n')}\n`,
    'problems.py': `${problems(help).join('\n')}\n`,
  };
}

/** What streams of markets send, without what only later versions send. */
const aliasOf = (union: string): string =>
  `Union[${union
    .split(' | ')
    .filter((one) => !one.startsWith('Mapping'))
    .join(', ')}]`;

const modelsHead = (): string[] => [
  MADE,
  '"""What the service answers, and what it takes.',
  '',
  'Answers are frozen dataclasses: amounts are `Decimal`, times are `datetime` with a zone. What an older service leaves out, or a',
  'member that may be absent, is `UNSET`. Members and words of a later version do no harm: unknown members are left out, unknown',
  'words come as they are.',
  '"""',
  '',
  'from __future__ import annotations',
  '',
  'from collections.abc import Mapping, Sequence',
  'from dataclasses import dataclass',
  'from datetime import datetime',
  'from decimal import Decimal',
  'from typing import Any, Literal, TypedDict, Union',
  '',
  'from ._wire import UNSET, Amount, Model, Unset',
  '',
];

const operationsHead = (used: readonly string[]): string[] => [
  MADE,
  '"""The operations of the service: a class for each of its groups, a method for each operation."""',
  '',
  'from __future__ import annotations',
  '',
  'from collections.abc import Mapping, Sequence',
  'from datetime import datetime',
  'from typing import Literal',
  '',
  'from ._group import Group, Http, Pages, quote',
  'from ._wire import UNSET, Amount, Unset',
  'from .models import (',
  ...[...used].sort().map((name) => `    ${name},`),
  ')',
];

function problems(help: Help): string[] {
  return [
    MADE,
    '"""What to do about each problem, by its code."""',
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Mapping',
    '',
    'WHAT_TO_DO: Mapping[str, str] = {',
    ...Object.entries(help).flatMap(([code, words]) => [
      `    ${quoted(code)}: (`,
      ...wrapped(words, '').map((line, index, all) => `        ${quoted(index < all.length - 1 ? `${line} ` : line)}`),
      '    ),',
    ]),
    '}',
  ];
}
