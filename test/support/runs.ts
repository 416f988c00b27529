/** How often a generated test runs: as often as `npm test` has time for, and `SOAK` times as often in `npm run soak`. */
export function runs(usual: number): number {
  return usual * Number(process.env['SOAK'] ?? 1);
}
