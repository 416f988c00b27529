/** The style of the report: light and dark by the reader's system, on paper, and from 320 pixels on. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --back: #fff; --line: #dfe3e9; --edge: #7d8796; --text: #171b22; --soft: #565f6d; --accent: #1d5fd1; --down: #b3261e; --warn: #fff4de; --note: #e6effd; }
@media (prefers-color-scheme: dark) {
  :root { --back: #101318; --line: #2a303a; --edge: #7b8696; --text: #e7eaef; --soft: #a3acba; --accent: #7fb0ff; --down: #ff8f85; --warn: #352811; --note: #182a47; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 3rem; }
h1 { margin: 0.5rem 0 0; font-size: 1.6rem; letter-spacing: -0.015em; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.2rem; overflow-wrap: anywhere; }
h3 { margin: 1.75rem 0 0.4rem; font-size: 1rem; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 0.25rem; font-size: 0.9375rem; }
p { margin: 0.4rem 0; max-width: 46rem; }
.span { color: var(--soft); }
.weak ul { margin: 0; padding: 0.6rem 1rem 0.6rem 2rem; background: var(--warn); border-radius: 6px; }
.verdict { padding: 0.6rem 1rem; background: var(--note); border-radius: 6px; font-weight: 600; max-width: none; }
.findings { margin-top: 2.5rem; border-top: 1px solid var(--line); }
.key { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.75rem; margin: 1rem 0; }
.key dt { color: var(--soft); font-size: 0.8125rem; }
.key dd { margin: 0; font-size: 1.05rem; }
figure { margin: 0; }
figcaption { max-width: 46rem; margin-bottom: 0.5rem; }
.plot { display: grid; grid-template: "upwards upwards" auto "values graph" 13rem "none times" 1.5rem "none across" auto "legend legend" auto / 4.5rem minmax(0, 1fr); margin-bottom: 0.75rem; font-size: 0.75rem; color: var(--soft); }
.plot.short { grid-template-rows: auto 6.5rem auto auto auto; }
.plot.square { grid-template-rows: repeat(5, auto); grid-template-columns: 4.5rem minmax(0, 22rem); }
.plot > svg { grid-area: graph; width: 100%; height: 100%; overflow: visible; }
.plot.square > svg { aspect-ratio: 1; height: auto; }
.values { grid-area: values; position: relative; }
.values span { position: absolute; right: 0.5rem; transform: translateY(50%); white-space: nowrap; }
.times { grid-area: times; display: flex; justify-content: space-between; gap: 0.5rem; padding-top: 0.25rem; }
.clock { position: relative; }
.clock span { position: absolute; top: 0.25rem; transform: translateX(-50%); white-space: nowrap; }
.hovers { grid-area: graph; position: relative; display: flex; }
.hovers span:hover { border-left: 1px solid var(--edge); }
.hovers b { display: none; position: absolute; right: 0; bottom: 100%; padding-left: 0.5rem; background: var(--back); color: var(--text); font-weight: 400; }
.hovers span:hover b { display: block; }
.upwards { grid-area: upwards; padding-bottom: 0.5rem; }
.across { grid-area: across; text-align: center; }
.legend { grid-area: legend; display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0.25rem 0 0; padding: 0; list-style: none; justify-content: center; }
.legend li { display: flex; align-items: center; gap: 0.4rem; }
svg path, svg circle, svg rect { vector-effect: non-scaling-stroke; }
.guide { stroke: var(--line); fill: none; }
.diagonal { stroke: var(--edge); stroke-dasharray: 2 3; fill: none; }
.line { stroke: var(--accent); stroke-width: 1.5; fill: none; stroke-linejoin: round; }
.dashed { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 6 4; fill: none; }
.area { fill: var(--accent); opacity: 0.18; }
.fills { stroke: var(--edge); fill: none; }
.whisker { stroke: var(--edge); stroke-width: 1.5; fill: none; }
.dots circle { fill: var(--accent); }
.dots .whisker { stroke: var(--accent); }
.rings circle { fill: var(--back); stroke: var(--text); stroke-width: 1.5; }
.bar { fill: var(--accent); }
.bar.loss, .interval .loss { fill: var(--down); }
.bar.same { fill: var(--edge); }
.interval { display: block; width: 9rem; height: 1rem; }
.interval circle { fill: var(--accent); }
details { margin: 0.25rem 0 1rem; }
summary { cursor: pointer; color: var(--soft); }
.scroll { overflow-x: auto; margin: 0.25rem 0 0.75rem; background: linear-gradient(to right, var(--back) 40%, transparent) left / 2.5rem 100% no-repeat local, linear-gradient(to left, var(--back) 40%, transparent) right / 2.5rem 100% no-repeat local, linear-gradient(to right, var(--edge), transparent) left / 0.5rem 100% no-repeat, linear-gradient(to left, var(--edge), transparent) right / 0.5rem 100% no-repeat; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td { min-width: 3.5rem; white-space: nowrap; }
td.prose { min-width: 16rem; white-space: normal; overflow-wrap: anywhere; }
.figures td, .figures thead th + th { text-align: right; }
.figures tbody th { white-space: nowrap; }
.figures .interval { margin-left: auto; }
.interval .guide { stroke: var(--edge); }
.heat { display: block; padding: 0 0.4rem; border-radius: 3px; }
thead th { color: var(--soft); font-weight: 400; white-space: nowrap; }
tbody th { font-weight: 500; }
.dim th, .dim td { color: var(--soft); font-weight: 400; }
.dim .interval { opacity: 0.45; }
code, pre { font-size: 0.8125rem; }
code { overflow-wrap: anywhere; white-space: normal; }
pre { margin: 0; padding: 0.6rem 1rem; border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  .clock span:nth-child(even) { display: none; }
  .plot { grid-template-columns: 3.25rem minmax(0, 1fr); }
  .weak ul { padding-left: 1.5rem; }
  .key { grid-template-columns: repeat(2, 1fr); }
}
@media print {
  :root { color-scheme: light; --back: #fff; --line: #ccc; --edge: #666; --text: #000; --soft: #333; --accent: #1d5fd1; --down: #b3261e; --warn: #fff; --note: #fff; }
  main { max-width: none; padding: 0; }
  details, .hovers { display: none; }
  .scroll { overflow: visible; background: none; }
  td, td.prose { min-width: 0; white-space: normal; }
  th, td { padding-right: 0.5rem; }
  table { font-size: 8.5pt; }
  .weak ul, .verdict { border: 1px solid var(--line); }
  h2, h3, h4, figcaption { break-after: avoid; }
  figure, tr, .key { break-inside: avoid; }
  body { font-size: 10pt; print-color-adjust: exact; }
}
`;
