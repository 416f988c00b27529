import type { WireServer } from '../../adapters/http/answers.js';
import { api } from '../net/api.js';
import { Badge, Card } from './figures.tsx';
import { Refused } from './refused.tsx';
import { DataTable } from './table.tsx';
import { useReading } from './use-store.js';

const DOES = { paper: 'paper orders and strategies', delivery: 'webhooks' } as const;

/** The servers on the database, their versions, and which of them does what only one may do. */
export function Servers() {
  const read = (signal: AbortSignal) => api<{ data: readonly WireServer[] }>('/v1/admin/servers', { signal });
  const { value, status, problem } = useReading('servers', read, 5000);
  return (
    <Card title="Servers" wide>
      <Refused status={status} problem={problem} what="the servers" />
      {value === null ? null : (
        <DataTable<WireServer>
          caption="Servers on this database"
          rows={value.data}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Server',
              cell: ({ id, is_answering: isThis }) => (
                <>
                  <code>{id}</code> {isThis ? <Badge>this one</Badge> : null}
                </>
              ),
            },
            { name: 'stakeport', cell: ({ version }) => version },
            { name: 'Strategies', cell: ({ runs_strategies: runs }) => (runs ? 'may run here' : 'off') },
            {
              name: 'Does alone',
              cell: ({ holds }) =>
                holds.length === 0 ? 'nothing: it waits' : holds.map((one) => DOES[one]).join('; '),
            },
          ]}
        />
      )}
    </Card>
  );
}
