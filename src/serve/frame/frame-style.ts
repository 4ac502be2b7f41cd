/**
 * The style of the frame of every page: the reader's colour scheme and fonts; it loads no other file. Cost and value have
 * one colour each, which nothing else has; all else is ink on paper.
 */
export const FRAME_STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #101418);
  --sheet: light-dark(#f6f6f3, #181d22);
  --ink: light-dark(#16202a, #e8ebee);
  --ink-2: light-dark(#55606b, #a6b0ba);
  --rule: light-dark(#e1e2dd, #2a323a);
  --rule-strong: light-dark(#828a92, #6d7883);
  --cost: light-dark(#b4500c, #e8924a);
  --cost-soft: light-dark(#f0c9a6, #6b4423);
  --value: light-dark(#0b5a75, #7fd3ea);
  --value-soft: light-dark(#aad5e2, #1d5163);
  --plan: light-dark(#6b7681, #97a3ae);
  --ok: light-dark(#22693f, #83d3a2);
  --bad: light-dark(#a8201a, #ff9d93);
  --bad-sheet: light-dark(#fcf1ef, #2c1917);
  --letters: -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, "Helvetica Neue", Arial, sans-serif;
  --code: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--letters); font-variant-numeric: tabular-nums; }
.frame, main { max-width: 73rem; margin: 0 auto; padding: 0 1.5rem; }
header { border-bottom: 1px solid var(--rule); }
.frame, header nav { display: flex; flex-wrap: wrap; align-items: center; }
.frame { gap: 0 1.75rem; padding-block: 0.4rem; min-height: 3.25rem; }
header .ways { gap: 0 1.1rem; flex: 1; font-size: 0.9375rem; }
header .menu { display: none; }
header nav a, .brand { padding: 0.3rem 0; text-decoration: none; color: var(--ink-2); border-block: 2px solid transparent; }
header nav a:hover { color: var(--ink); }
header nav a[aria-current] { color: var(--ink); border-bottom-color: var(--ink); }
.brand { display: inline-flex; min-height: 1.5rem; align-items: center; gap: 0.5rem; color: var(--ink); font-weight: 650; }
.brand svg { width: 22px; height: 22px; }
.mark-grid { fill: var(--rule); }
.mark-cost { fill: var(--cost); }
.mark-value { fill: var(--value); }
.mark-total { fill: var(--ink); }
main { padding-block: 2rem 5rem; overflow-wrap: break-word; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 1; background: var(--paper); padding: 0.25rem 0.75rem; }
header button { padding: 0.2rem 0.75rem; border-color: var(--rule-strong); font-size: 0.8125rem; }
@media (max-width: 58rem) {
  header .frame { position: relative; gap: 0.75rem; }
  .brand { flex: 1; }
  header .ways { display: none; }
  header .menu { display: block; margin: 0; border: 0; }
  .menu > summary { padding: 0.2rem 0.75rem; border: 1px solid var(--rule-strong); border-radius: 6px; font-size: 0.8125rem; font-weight: 400; list-style: none; }
  .menu > summary::-webkit-details-marker { display: none; }
  .menu > summary::after { content: " ▾"; }
  .menu[open] > summary::after { content: " ▴"; }
  .menu > nav { position: absolute; z-index: 2; inset: 100% 0 auto; display: block; margin: 0; padding: 0.5rem 1.5rem 1rem; border-bottom: 1px solid var(--rule-strong); background: var(--paper); }
  .menu > nav > a { display: block; padding: 0.6rem 0; border-block: 0; border-bottom: 1px solid var(--rule); }
  .menu > nav > a[aria-current] { font-weight: 650; }
}
@media (max-width: 44rem) {
  .frame, main { padding-inline: 1rem; }
  .menu > nav { padding-inline: 1rem; }
}
@media print {
  :root { color-scheme: light; --sheet: #fff; --ink-2: #333; --rule: #bbb; }
  header, .skip { display: none; }
  body { font-size: 10pt; }
}
`;
