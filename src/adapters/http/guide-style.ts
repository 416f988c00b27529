/** The style of the guide, light and dark, from narrow screens to wide ones. */
export const GUIDE_STYLE = `:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e4e7eb);
  --quiet: light-dark(#57606a, #a0a8b2);
  --ground: light-dark(#fff, #14171b);
  --raised: light-dark(#f4f5f7, #1f242a);
  --line: light-dark(#d5d9de, #363d46);
  --link: light-dark(#0a53be, #8ab4ff);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--text); background: var(--ground); }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
header { display: flex; gap: 1.5rem; padding: .75rem 1.5rem; border-bottom: 1px solid var(--line); }
header a:first-child { font-weight: 600; color: var(--text); text-decoration: none; }
nav { padding: 1rem 1.5rem; border-top: 1px solid var(--line); font-size: .9rem; }
nav p { margin: .75rem 0 .1rem; color: var(--quiet); }
nav ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0 1rem; }
nav a { display: inline-block; padding: .2rem 0; min-height: 24px; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav [aria-current] { color: var(--text); font-weight: 600; }
main { padding: 1rem 1.5rem 4rem; max-width: 60rem; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; margin: 2em 0 .5em; }
h1 { margin-top: .5em; font-size: 1.9rem; }
h2 { padding-bottom: .2em; border-bottom: 1px solid var(--line); font-size: 1.4rem; }
h3 { font-size: 1.1rem; }
code { font: .9em/1.5 ui-monospace, monospace; background: var(--raised); padding: .1em .25em; border-radius: 3px; }
pre { padding: .8rem 1rem; overflow: auto; background: var(--raised); border-radius: 6px; overflow-wrap: normal; }
pre code { padding: 0; background: none; }
.wide { overflow: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .35rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; min-width: 6rem; }
th { background: var(--raised); }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 16rem minmax(0, 1fr); grid-template-rows: auto 1fr; }
  header { grid-column: 1 / -1; }
  header a:last-child { display: none; }
  nav { grid-area: 2 / 1; position: sticky; top: 0; max-height: 100vh; overflow: auto; border-top: 0; }
  nav { border-right: 1px solid var(--line); scrollbar-width: thin; }
  nav ul { display: block; }
  main { grid-area: 2 / 2; padding: 1.5rem 3rem 6rem; }
}
`;
