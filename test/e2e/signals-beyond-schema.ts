type Body = Readonly<Record<string, unknown>>;
type Said = Readonly<Record<string, unknown>> & { readonly probabilities: Readonly<Record<string, unknown>> };

const LABELS = ['yes', 'no'];
const DAY_MS = 86_400_000;

/** The signals of a body: one, many, or none. */
function saidIn(body: Body): readonly Said[] {
  const list = 'signals' in body ? (body['signals'] as readonly Said[]) : [body as Said];
  return list.filter(({ probabilities }) => probabilities !== undefined);
}

const any = (holds: (said: Said) => boolean) => (body: Body) => saidIn(body).some(holds);

/** What the document cannot say of a signal in a schema, and it is refused for all the same. */
export const SIGNALS_BEYOND_SCHEMA: Readonly<Record<string, (body: Body) => boolean>> = {
  'probabilities are of outcomes of the market, each once': any(({ probabilities }) => {
    const labels = Object.keys(probabilities).map((label) => label.toLowerCase());
    return new Set(labels).size < labels.length || labels.some((label) => !LABELS.includes(label));
  }),
  'both probabilities add up to 0.98 to 1.02': any(({ probabilities }) => {
    const [first, second] = Object.values(probabilities).map((text) => Math.round(Number(text) * 1_000_000));
    return first !== undefined && second !== undefined && Math.abs(first + second - 1_000_000) > 20_000;
  }),
  'a signal expires in the next 30 days': any((said) => {
    const aheadMs = Date.parse(String(said['expires_at'])) - Date.now();
    return !(aheadMs > 0 && aheadMs <= 30 * DAY_MS);
  }),
  'a signal is of a venue that is there': any((said) => (said['venue'] ?? 'none') !== 'none'),
  'a list has each market once': (body) => {
    const markets = saidIn(body).map((said) => said['market_id']);
    return 'signals' in body && new Set(markets).size < markets.length;
  },
};
