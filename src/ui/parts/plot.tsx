import { useState } from 'preact/hooks';
import { type Line, plotOf } from '../state/plot.js';
import { DataTable } from './table.tsx';

/** A row of the table beside a plot: the moment, and the exact value of each line. */
export interface PlotRow {
  readonly at: string;
  readonly texts: readonly string[];
}

/** Values over time as lines, and the same as a table behind a button. `gist` says in words what it shows. */
export function Plot(props: {
  readonly gist: string;
  readonly moments: readonly number[];
  readonly lines: readonly Line[];
  readonly rows: readonly PlotRow[];
}) {
  const { gist, moments, lines, rows } = props;
  const [isTable, setTable] = useState(false);
  const { paths, values, times } = plotOf(moments, lines);
  return (
    <figure>
      <div class="plot" role="img" aria-label={gist}>
        <div class="values">
          {values.map((text) => (
            <span key={text}>{text}</span>
          ))}
        </div>
        <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
          <path class="guide" d="M0 0H1000M0 500H1000M0 1000H1000" />
          {paths.map((path, at) => (
            <path key={lines[at]?.name} class={lines[at]?.dashed ? 'dashed' : 'line'} d={path} />
          ))}
        </svg>
        <div class="times">
          {times.map((text, at) => (
            <span key={`${at} ${text}`}>{text}</span>
          ))}
        </div>
      </div>
      <figcaption>
        <span>{gist}</span>
        <button type="button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Hide the table' : 'As a table'}
        </button>
      </figcaption>
      {isTable ? (
        <DataTable
          caption={gist}
          rows={rows}
          keyOf={({ at }) => at}
          columns={[
            { name: 'Time (UTC)', cell: ({ at }) => at.slice(0, 19).replace('T', ' ') },
            ...lines.map(({ name }, at) => ({ name, num: true, cell: ({ texts }: PlotRow) => texts[at] })),
          ]}
        />
      ) : null}
    </figure>
  );
}
