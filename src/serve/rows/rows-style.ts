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
.filters :is(select, input, button), .columns button { padding: 0.3rem 0.6rem; border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); color: var(--ink); font-size: 0.8125rem; }
.choices { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.25rem 1rem; margin: 0.5rem 0; }
.choices label { font-weight: 400; overflow-wrap: anywhere; }
.choices input { width: auto; }
.lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); gap: 1rem 2rem; }
.lists > * { min-width: 0; }
.lists h2 { margin: 0 0 0.25rem; font-size: 0.8125rem; }
.lists ul { margin: 0; padding: 0; list-style: none; font-size: 0.8125rem; }
.lists li { display: flex; gap: 0.75rem; padding: 0.25rem 0; border-bottom: 1px solid var(--rule); }
.lists li > a { flex: 1; min-width: 0; overflow-wrap: anywhere; }
table.rows { width: 100%; font-size: 0.8125rem; }
table.rows :is(td, th) { padding-right: 1rem; }
table.rows tbody :is(td, th) { overflow-wrap: anywhere; white-space: normal; }
table.rows .r { white-space: nowrap; overflow-wrap: normal; }
table.rows td details { margin: 0; padding: 0; border: 0; }
.r { text-align: right; font-variant-numeric: tabular-nums; }
.unknown { color: var(--ink-2); font-weight: 400; white-space: normal; }
tr.sum > * { border-bottom: 3px double var(--rule-strong); font-weight: 650; }
.pager { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; margin-top: 1rem; font-size: 0.8125rem; }
.pager > :last-child { margin-left: auto; }
.empty { margin: 1.5rem 0; padding: 1.5rem; border: 1px dashed var(--rule-strong); border-radius: 6px; text-align: center; }
@media (max-width: 62rem) {
  table.rows, table.rows tbody { display: block; }
  table.rows thead { position: absolute; left: -100vw; }
  table.rows tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--rule); }
  table.rows tbody :is(td, th) { display: flex; justify-content: space-between; gap: 1rem; padding: 0.1rem 0; border: 0; text-align: right; }
  table.rows tbody :is(td, th)::before { content: attr(data-column); flex: none; color: var(--ink-2); font-weight: 400; text-align: left; }
  table.rows tbody :is(td, th)[data-column=""]:empty { display: none; }
}
`;
