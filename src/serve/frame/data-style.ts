/** The style of what pages show of snapshots: tables, facts, charts, notes and forms. */
export const DATA_STYLE = `.wide { overflow-x: auto; margin-block: 0.75rem 1.5rem; }
table { border-collapse: collapse; font-size: 0.95rem; line-height: 1.5; }
main > .wide > table, details table { width: 100%; }
th, td { border-bottom: 1px solid var(--rule); padding: 0.5rem 1.5rem 0.5rem 0; text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--ink-2); font-size: 0.85rem; font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: normal; white-space: nowrap; }
tbody tr:hover { background: var(--sheet); }
tbody tr.sum > * { font-weight: 600; }
tbody tr.part > th { padding-left: 1.25rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.nowrap, time { white-space: nowrap; }
td.words { min-width: 17rem; }
td > .quiet, th > .quiet { font-size: 0.85rem; }
td > ul { margin: 0; padding: 0; list-style: none; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.25rem, 45%), 1fr)); gap: 1px; margin: 1.5rem 0; border: 1px solid var(--rule); border-radius: 6px; overflow: hidden; }
.facts > div { outline: 1px solid var(--rule); padding: 0.75rem 1rem; }
.facts dt { color: var(--ink-2); font-size: 0.85rem; }
.facts time { white-space: normal; }
.facts dd { margin: 0; font-size: 1.05rem; font-variant-numeric: tabular-nums; }
.note { max-width: 44rem; margin: 1.25rem 0; padding: 0.75rem 1rem; border: 1px solid var(--rule); border-left: 4px solid var(--ink-2); border-radius: 4px; background: var(--sheet); }
.note > :first-child { margin-top: 0; }
.note > :last-child { margin-bottom: 0; }
.note.bad { border-color: var(--bad); background: var(--bad-sheet); }
.mark { display: inline-block; margin: 0.15rem 0.25rem 0 0; padding: 0 0.5em; border: 1px solid currentcolor; border-radius: 1em; color: var(--ink-2); font-size: 0.8rem; font-weight: 600; line-height: 1.5; white-space: nowrap; }
.mark.good, strong.good { color: var(--ok); }
.mark.bad, strong.bad { color: var(--bad); }
.trend { display: block; width: 9rem; height: 1.5rem; --line-of: var(--ink); }
.trend.level { --line-of: var(--ink-2); }
.trend polyline { fill: none; stroke: var(--line-of); stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round; }
.trend polygon { fill: var(--line-of); opacity: 0.12; }
.trend.level polygon { display: none; }
.trend circle { fill: var(--line-of); }
.within { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0 0 1rem; padding: 0; list-style: none; }
details { border: 1px solid var(--rule); border-radius: 6px; margin: 0.5rem 0; }
summary { padding: 0.5rem 1rem; cursor: pointer; font-weight: 600; border-radius: 6px; }
summary:hover { background: var(--sheet); }
summary > span { color: var(--ink-2); font-weight: normal; font-variant-numeric: tabular-nums; }
.copy { display: block; width: 100%; margin: 0.5rem 0; padding: 0.85rem 1rem; border: 1px solid var(--rule); border-radius: 6px; color: var(--ink); font-size: 0.88rem; line-height: 1.55; white-space: pre; overflow-x: auto; resize: none; }
details > :not(summary) { margin-inline: 1rem; }
details > .copy { width: calc(100% - 2rem); margin-inline: 1rem; }
form { margin: 0; }
form.sign-in { display: grid; gap: 0.4rem; max-width: 30rem; margin-top: 1.5rem; }
form.sign-in p { margin: 0.25rem 0 1rem; font-size: 0.95rem; color: var(--ink-2); }
label { font-weight: 600; }
input, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--ink-2); border-radius: 6px; padding: 0.45rem 0.75rem; }
button { cursor: pointer; justify-self: start; background: var(--sheet); }
button:hover { border-color: var(--ink); }
form.sign-in button { background: var(--ink); border-color: var(--ink); color: var(--paper); font-weight: 600; padding-inline: 1.5rem; }
@media (max-width: 44rem) {
  th, td { padding-right: 1rem; }
  /* A table whose cells name their columns turns into cards. */
  .wide:has(td[data-column]) :is(table, tbody) { display: block; }
  .wide:has(td[data-column]) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .wide:has(td[data-column]) tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--rule); }
  .wide:has(td[data-column]) tbody :is(th, td) { display: flex; justify-content: space-between; gap: 1rem; padding: 0.1rem 0; border: 0; }
  .wide:has(td[data-column]) tbody th { flex-wrap: wrap; justify-content: flex-start; gap: 0.1rem 0.75rem; white-space: normal; font-weight: 600; }
  .wide td[data-column]::before { content: attr(data-column); color: var(--ink-2); font-weight: 400; text-align: left; }
  .wide td[data-column]:empty { display: none; }
}
`;
