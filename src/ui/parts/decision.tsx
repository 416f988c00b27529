import type { WireEvaluation } from '../../adapters/http/answers.js';
import { plainWords, ruleLabel } from '../state/strategy-draft.js';
import { Badge } from './figures.tsx';
import { DataTable } from './table.tsx';

type Rule = WireEvaluation['rules'][number];

/** Every rule that was tested, what was found, and what it asks for. */
export function DecisionRules({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <DataTable<Rule>
      caption="Rules, in the order in which they were tested"
      rows={rules}
      keyOf={({ rule }) => rule}
      columns={[
        { name: 'Rule', cell: ({ rule }) => ruleLabel(rule) },
        { name: 'Found', num: true, cell: ({ value }) => plainWords(value ?? '—') },
        { name: 'Asked for', num: true, cell: ({ bound }) => plainWords(bound ?? '—') },
        { name: 'Holds', cell: ({ passed }) => <Verdict passed={passed} /> },
      ]}
    />
  );
}

function Verdict({ passed }: { readonly passed: boolean | null }) {
  if (passed === null) return <Badge tone="warn">not known</Badge>;
  return <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'true' : 'not true'}</Badge>;
}
