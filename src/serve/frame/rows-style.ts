/** The style of pages of rows: filters, sums by value, the table, and cards on a narrow screen. */
export const ROWS_STYLE = `.crumbs { margin-bottom: 0.75rem; color: var(--ink-2); font-size: 0.8125rem; }
.downloads { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; font-size: 0.8125rem; }
.button { display: inline-block; padding: 0.3rem 0.7rem; border: 1px solid var(--rule-strong); border-radius: 6px; color: var(--ink); text-decoration: none; }
.button:hover { border-color: var(--ink); }
.filters fieldset { margin: 0 0 1rem; padding: 0.5rem 0.85rem 0.75rem; border: 1px solid var(--rule); border-radius: 6px; min-width: 0; }
.filters legend { padding: 0 0.35rem; color: var(--ink-2); font-size: 0.8125rem; }
.filters fieldset, .filters .add { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.filters .add { margin-left: auto; }
.filters ul { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; padding: 0; list-style: none; font-size: 0.8125rem; }
.filters li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem; padding: 0.1rem 0.6rem; border-radius: 6px; background: var(--sheet); overflow-wrap: anywhere; }
.filters li > a { display: inline-block; min-width: 1.5rem; line-height: 1.5rem; text-align: center; text-decoration: none; }
.filters select { max-width: 12rem; }
.filters input { width: 10rem; }
.filters .add p { flex-basis: 100%; margin: 0; color: var(--ink-2); font-size: 0.8125rem; text-align: right; }
.filters .add p[role="alert"] { color: var(--bad); font-weight: 600; text-align: left; }
.filters :is(select, input, button), .columns button { padding: 0.3rem 0.6rem; border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); color: var(--ink); font-size: 0.8125rem; }
.choices { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.25rem 1rem; margin: 0.5rem 0; }
.choices label { font-weight: 400; overflow-wrap: anywhere; }
.choices input { width: auto; }
.lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); gap: 1rem 2rem; }
.lists > * { min-width: 0; }
.lists h2 { margin: 0 0 0.25rem; font-size: 0.8125rem; }
.lists ul { margin: 0; padding: 0; list-style: none; font-size: 0.8125rem; }
.lists li { display: flex; gap: 0.75rem; padding: 0.25rem 0; border-bottom: 1px solid var(--rule); }
.lists li > span { margin: 0; font-size: inherit; }
.lists li > a { flex: 1; min-width: 0; overflow-wrap: anywhere; }
/* A table wider than the page scrolls by itself. */
.across { overflow-x: auto; }
table.rows { width: 100%; font-size: 0.8125rem; }
table.rows :is(td, th) { padding-right: 1rem; }
table.rows tbody :is(td, th) { white-space: normal; }
table.rows .long-word { overflow-wrap: anywhere; }
table.rows .r { white-space: nowrap; overflow-wrap: normal; }
table.rows td details { margin: 0; padding: 0; border: 0; }
.r { text-align: right; font-variant-numeric: tabular-nums; }
.unknown { color: var(--ink-2); font-weight: 400; white-space: normal; }
tr.sum .quiet { display: block; font-weight: 400; white-space: normal; }
tr.sum > * { border-bottom: 3px double var(--rule-strong); font-weight: 650; }
.pager { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; margin-top: 1rem; font-size: 0.8125rem; }
.pager > :last-child { margin-left: auto; }
.empty { margin: 1.5rem 0; padding: 1.5rem; border: 1px dashed var(--rule-strong); border-radius: 6px; text-align: center; }
@media (max-width: 62rem) {
  .across { overflow-x: visible; }
  table.rows, table.rows tbody { display: block; }
  table.rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.rows .r { white-space: normal; }
  table.rows tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--rule); }
  table.rows tbody :is(td, th) { display: flex; justify-content: space-between; gap: 1rem; padding: 0.1rem 0; border: 0; text-align: right; }
  table.rows tbody :is(td, th)::before { content: attr(data-column); flex: none; color: var(--ink-2); font-weight: 400; text-align: left; }
  table.rows tbody :is(td, th)[data-column=""]:empty { display: none; }
  table.rows tbody tr:not(.sum) td:has(> .unknown) { display: none; }
  table.rows tbody td { overflow-wrap: anywhere; }
}
`;

/** The style of the page of what moved: pickers, the waterfall, and pairs of cells. */
export const MOVES_STYLE = `.pick { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem 0.75rem; margin: 1rem 0 1.5rem; }
.pick label { display: block; margin-bottom: 0.2rem; color: var(--ink-2); font-size: 0.8125rem; font-weight: 400; }
.pick :is(select, button) { max-width: 100%; padding: 0.4rem 0.7rem; border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; }
.tabs { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.5rem 0; font-size: 0.8125rem; }
.tabs a { display: inline-block; line-height: 1.5rem; color: var(--ink-2); text-decoration: none; }
.tabs a[aria-current] { border-bottom: 2px solid var(--ink); color: var(--ink); font-weight: 600; }
.fall, .pairs { width: 100%; margin-top: 0.5rem; }
.fall caption { padding-bottom: 0.75rem; color: var(--ink-2); font-size: 0.8125rem; text-align: left; }
.fall tbody :is(th, td) { vertical-align: middle; white-space: normal; }
.fall .r { white-space: nowrap; }
.fall tbody th { width: 25%; }
:is(.fall, .pairs) tbody :is(th, .id) a { display: inline-block; line-height: 1.5rem; }
.fall .quiet, .moved .quiet { display: block; font-weight: 400; }
.fall .quiet .amount { white-space: nowrap; }
.moved { width: 100%; }
.fall .bar { width: 44%; padding-block: 0; }
.fall .tot > *, .fall .net { font-weight: 600; }
.wf { display: block; width: 100%; height: auto; overflow: visible; }
.wf-total { fill: var(--ink); }
.wf-cost { fill: var(--cost); }
.wf-value { fill: var(--value); }
.wf-zero { stroke: var(--rule-strong); }
.wf-join { stroke: var(--rule-strong); stroke-dasharray: 2 3; }
.key { display: inline-flex; align-items: center; gap: 0.4rem; }
.key::before { content: ""; flex: none; width: 0.65rem; height: 0.65rem; border-radius: 2px; background: var(--ink); }
.key.c::before { background: var(--cost); }
.key.v::before { background: var(--value); }
.pairs tbody th { white-space: normal; }
.pairs .quiet { display: block; }
.pairs .grp > * { border-bottom-color: var(--rule-strong); background: var(--sheet); font-weight: 650; }
.pairs .id { font-size: 0.8125rem; white-space: nowrap; }
.pairs .eff { font-weight: 600; }
.pairs dl, .pairs dd { margin: 0; }
.pairs dl > div { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 0 0.75rem; font-size: 0.8125rem; }
.pairs dt { color: var(--ink-2); }
.pairs dd { overflow-wrap: anywhere; }
@media (max-width: 44rem) {
  .pick > div, .pick :is(select, button) { width: 100%; }
  :is(.fall, .pairs) :is(tbody, caption) { display: block; }
  :is(.fall, .pairs), :is(.fall, .pairs) caption { display: block; }
  :is(.fall, .pairs) thead { position: absolute; left: -100vw; }
  :is(.fall, .pairs) tr { display: grid; grid-template-columns: 1fr auto; gap: 0.1rem 1rem; padding: 0.6rem 0; border-bottom: 1px solid var(--rule); }
  :is(.fall, .pairs) tbody :is(th, td) { display: block; width: auto; padding: 0; border: 0; }
  .fall .bar { grid-column: 1 / -1; grid-row: 2; padding: 0.35rem 0; }
  .fall [data-column] { display: flex; justify-content: space-between; grid-column: 1 / -1; font-size: 0.8125rem; }
  .fall [data-column]::before { content: attr(data-column); color: var(--ink-2); font-weight: 400; }
  .fall .none { display: none; }
  .pairs .id, .pairs .cells { grid-column: 1 / -1; }
  .pairs .id { grid-row: 2; }
  .pairs tr:not(.grp) .eff { grid-area: 1 / 2; }
  .pairs .grp { margin-top: 1rem; padding-inline: 0.6rem; background: var(--sheet); }
  .pairs dl > div { grid-template-columns: 1fr; margin-top: 0.25rem; }
}
`;

/** The style of the page of nights. */
export const NIGHT_STYLE = `.strip { max-width: none; display: grid; grid-template-columns: repeat(15, minmax(0, 1fr)); gap: 0.35rem; margin: 0.75rem 0 1.5rem; padding: 0; list-style: none; text-align: center; font-size: 0.8125rem; }
.strip li { padding: 0.5rem 0.1rem; border: 1px solid var(--rule); border-radius: 6px; }
.strip li.bad { border-color: var(--bad); }
.strip li.next { border-style: dashed; }
.strip time { display: block; white-space: normal; }
.strip time b { display: block; }
.strip strong { font-size: 1.1rem; }
.strip span { display: block; font-size: 0.6875rem; line-height: 1.3; overflow-wrap: anywhere; }
.stages { width: 100%; }
.stages .bar { width: 45%; vertical-align: middle; }
.stage { display: block; width: 100%; height: auto; }
.stage path { stroke: var(--rule); }
.stage rect { fill: var(--ink-2); }
@media (max-width: 62rem) { .strip { grid-template-columns: repeat(5, minmax(0, 1fr)); } }
@media (max-width: 44rem) { .stages .bar, .stages thead th:nth-child(2), .stages .sum td:nth-child(2) { display: none; } }
`;
