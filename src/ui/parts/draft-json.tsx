import { useState } from 'preact/hooks';
import type { DraftBody } from '../state/strategy-draft.js';
import { Trouble } from './figures.tsx';

/** The body as text, to be copied elsewhere or taken from there. */
export function AsJson({ body, take }: { readonly body: DraftBody; readonly take: (body: DraftBody) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const text = typed ?? JSON.stringify(body, null, 2);
  const use = () => {
    try {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('it is no object');
      take(parsed as DraftBody);
      setTyped(null);
      setProblem(null);
    } catch (error) {
      setProblem(`This is not the JSON of a strategy: ${error instanceof Error ? error.message : error}.`);
    }
  };
  return (
    <details class="card section">
      <summary>As JSON</summary>
      <p class="hint">What programs send, and a file for stakeport backtest. Copy it, or put another one here.</p>
      <textarea
        aria-label="The strategy as JSON"
        rows={16}
        value={text}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Trouble text={problem} />
      <button type="button" disabled={typed === null} onClick={use}>
        Use this JSON
      </button>
    </details>
  );
}
