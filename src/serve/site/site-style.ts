/** The style of every page for people: the reader's own colours, letters and width; nothing is fetched for it. */
export const SITE_STYLE = `:root {
  color-scheme: light dark;
  --line: light-dark(#d5d9e0, #3a4150);
  --quiet: light-dark(#556070, #a5afbf);
  --code: light-dark(#f2f4f7, #1d222b);
  --bad: light-dark(#b3261e, #ff9a90);
  --link: light-dark(#0b57b0, #8ab8ff);
}
body {
  margin: 0;
  background: light-dark(#fff, #12151b);
  color: light-dark(#1a1f27, #e6e9ee);
  font: 1rem/1.6 system-ui, sans-serif;
}
header, main { max-width: 46rem; margin: 0 auto; padding: 0.75rem 1rem; }
header { border-bottom: 1px solid var(--line); }
header, header nav { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.5rem; }
main { padding-bottom: 4rem; overflow-wrap: break-word; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--code); padding: 0.25rem 0.5rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2.2rem; }
.lead, li > span { color: var(--quiet); }
.lead { font-size: 1.1rem; }
li > span { display: block; margin-bottom: 0.4rem; }
code, pre { background: var(--code); font: 0.9em/1.5 ui-monospace, monospace; }
code { padding: 0.1em 0.25em; border-radius: 3px; }
pre { padding: 0.75rem 1rem; overflow-x: auto; }
pre code { padding: 0; font-size: inherit; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.75rem 0.35rem 0; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tbody th { font-weight: normal; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dd { margin: 0; }
.note { border-left: 0.3rem solid var(--line); padding: 0.25rem 0.75rem; }
.bad { border-color: var(--bad); }
strong.bad { color: var(--bad); }
.trend { width: 7.5rem; height: 1.5rem; fill: none; stroke: var(--link); stroke-width: 1.5; }
.copy { user-select: all; }
form { display: inline; }
form.sign-in { display: grid; gap: 0.5rem; max-width: 30rem; }
input, button { font: inherit; color: inherit; background: var(--code); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.35rem 0.75rem; }
button { cursor: pointer; justify-self: start; }
article + nav { border-top: 1px solid var(--line); margin-top: 3rem; }
@media print { header, .skip, article + nav { display: none; } }
`;
