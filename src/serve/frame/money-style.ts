/** The style of pages of cost and value: statements, charts, quarters, rankings, and cards on a narrow screen. */
export const MONEY_STYLE = `.snapshot-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; margin: -1rem 0 1.5rem; padding: 0.5rem 0.75rem; border-radius: 6px; background: var(--sheet); color: var(--ink-2); font-size: 0.8125rem; }
.snapshot-bar b { color: var(--ink); font-weight: 600; }
.snapshot-bar .choose { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-left: auto; max-width: 100%; }
.snapshot-bar label { font-weight: 400; }
.snapshot-bar select { width: 16rem; }
.snapshot-bar :is(select, button) { max-width: 100%; padding: 0.2rem 0.5rem; border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; }
.snapshot-bar button.copies { padding: 0 0.5rem; font-size: 0.75rem; min-height: 1.5rem; }
.lead b { color: var(--ink); font-weight: 600; }
main > section { margin-top: 3rem; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.5rem; margin-bottom: 1rem; padding-bottom: 0.5rem; border-bottom: 1px solid var(--rule); }
.head h2, .statement h2 { margin: 0; font-size: 1.0625rem; }
.head p { margin: 0; color: var(--ink-2); font-size: 0.8125rem; }
.head .end, .head .legend { margin-left: auto; }
.head .tabs { margin: 0; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
.key.cost::before { background: var(--cost); }
.key.value::before { background: var(--value); }
.key.line::before { width: 0.9rem; height: 2px; border-radius: 0; }
.key.plan::before { height: 0; width: 0.9rem; border-top: 2px dashed var(--plan); background: none; border-radius: 0; }
.key.freed::before { border: 1.5px dashed var(--rule-strong); background: none; }
.statement { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)) minmax(0, 1.05fr); margin-top: 2rem; }
.statement h2 { grid-column: 1 / -1; margin-bottom: 0.75rem; padding-bottom: 0.5rem; border-bottom: 1px solid var(--rule); }
.statement h2 > span { margin-left: 0.5rem; color: var(--ink-2); font-size: 0.8125rem; font-weight: 400; }
.figure { margin: 0; padding: 0.25rem 1rem 0.5rem 0; min-width: 0; font-size: 0.8125rem; }
.figure.beside { padding-left: 1.5rem; border-left: 1.5px dashed var(--rule-strong); }
.figure dt, .figure .why { color: var(--ink-2); }
.figure dd { margin: 0; }
.figure .amount { font-size: 1.75rem; font-weight: 600; letter-spacing: -0.02em; line-height: 1.3; white-space: nowrap; }
.figure .amount a { text-decoration-color: transparent; }
.figure .amount a:hover { text-decoration-color: currentcolor; }
.second .figure .amount { font-size: 1.25rem; }
figure { position: relative; margin: 0; }
.tip { position: absolute; top: 0.5rem; z-index: 1; display: grid; gap: 0.1rem; padding: 0.5rem 0.75rem; border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); font-size: 0.8125rem; pointer-events: none; }
.tip:empty { display: none; }
.tip > span { display: flex; justify-content: space-between; gap: 1.25rem; color: var(--ink-2); white-space: nowrap; }
.tip > span > span { color: var(--ink); }
svg.chart { width: 100%; height: auto; overflow: visible; font: 12px var(--letters); }
svg.chart text { fill: var(--ink-2); }
svg.chart .strong { fill: var(--ink); font-weight: 600; }
svg.chart .end { text-anchor: end; }
svg.chart.wide { display: block; }
svg.chart:is(.middle, .narrow) { display: none; }
:is(.chart, .quarters, .small-line) path { fill: none; }
.chart .grid { stroke: var(--rule); }
:is(.chart, .quarters) .zero { stroke: var(--rule-strong); }
.chart .year { stroke: var(--rule-strong); stroke-dasharray: 2 3; }
.chart .line, .small-line .line { stroke: var(--ink); stroke-width: 1.75; stroke-linejoin: round; }
.chart .ground { fill: var(--ink); opacity: 0.07; }
.chart .dot, .small-line .dot { fill: var(--ink); }
.bar-cost { fill: var(--cost); }
.bar-value { fill: var(--value); }
.bar-cost.soft { fill: var(--cost-soft); stroke: var(--cost); }
.bar-value.soft { fill: var(--value-soft); stroke: var(--value); }
.small-line { display: block; width: 120px; height: 28px; overflow: visible; }
.small-line .dotted { stroke: var(--rule-strong); stroke-dasharray: 1 3; }
table.bars, table.versions { width: 100%; font-size: 0.95rem; }
.facts dd .quiet { display: block; font-size: 0.8125rem; }
.bars .bar, .spend .bar { width: 34%; vertical-align: middle; }
.budgets .bar { width: 22%; vertical-align: middle; }
:is(.bars, .spend, .budgets) svg { display: block; width: 100%; height: 12px; overflow: visible; }
:is(.bars, .spend, .budgets) rect { vector-effect: non-scaling-stroke; }
:is(.bars, .versions, .budgets, .spend) tbody th { white-space: normal; }
.budget-end { fill: none; stroke: var(--ink); stroke-width: 2; vector-effect: non-scaling-stroke; }
.key.soft::before { border: 1px solid var(--cost); background: var(--cost-soft); }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 3rem; margin-top: 3rem; }
.chart .planned { stroke: var(--plan); stroke-dasharray: 5 4; stroke-width: 1.75; }
.chart .came { stroke: var(--value); stroke-width: 2.25; }
.chart .spent { stroke: var(--cost); stroke-width: 2.25; }
.chart .spent-dot { fill: var(--cost); }
svg.chart.small { max-width: 36rem; }
.chart .came-dot { fill: var(--value); }
.chart .ring { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; }
svg.chart .middle { text-anchor: middle; }
.decisions { columns: 2; column-gap: 3rem; max-width: none; font-size: 0.95rem; }
.decisions li { break-inside: avoid; padding-bottom: 0.6rem; }
.decisions time { color: var(--ink-2); font-size: 0.8125rem; }
table.months { width: 100%; font-size: 0.8125rem; }
.quarters { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.2rem, 1fr)); max-width: none; margin: 0; padding: 0; list-style: none; font-size: 0.8125rem; }
.quarters li { min-width: 0; padding: 0 0.4rem 0.75rem; border-left: 1px solid var(--rule); }
.quarters h3 { min-height: 2.6em; margin: 0 0 0.25rem; font-size: 0.8125rem; font-weight: 600; }
.quarters small { color: var(--ink-2); font-weight: 400; }
.quarters svg { display: block; width: 100%; height: 92px; }
.quarters dl { margin: 0.5rem 0 0; }
.quarters dt { position: absolute; left: -100vw; }
.quarters dd { margin: 0; white-space: nowrap; }
.quarters a { display: inline-block; min-height: 1.5rem; line-height: 1.5rem; }
.quarters .net { margin-top: 0.25rem; padding-top: 0.25rem; border-top: 1px solid var(--rule); font-weight: 600; }
.of-cost { color: var(--cost); }
.of-value { color: var(--value); }
table.ranking { width: 100%; }
.ranking tbody th { white-space: normal; }
.ranking tbody td { white-space: nowrap; }
:is(.ranking, .left-out) .quiet { display: block; font-size: 0.8125rem; font-weight: 400; }
.ranking .net { font-weight: 600; }
.line-cell { width: 140px; }
table.left-out { width: 100%; max-width: 44rem; }
.left-out th { white-space: normal; }
.left-out td > span { display: block; }
/* A folded list: the newest quarters, which stand last, and the first lines of a table, but for its sum. */
.fold { display: none; min-height: 1.5rem; margin-bottom: 0.75rem; font-size: 0.8125rem; font-weight: 400; }
@media screen and (max-width: 44rem) {
  .fold { display: inline-flex; align-items: center; gap: 0.5rem; }
  .fold:not(:has(:checked)) + .quarters > li:not(:nth-last-child(-n + 6)),
  .fold:not(:has(:checked)) + .lists > :nth-child(n + 2),
  .fold:not(:has(:checked)) + table tbody tr:nth-child(n + 7):not(.sum) { display: none; }
}
@media (max-width: 67rem) {
  svg.chart.wide { display: none; }
  svg.chart.middle { display: block; }
}
@media (max-width: 62rem) {
  .statement { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.75rem 0; }
  .figure.beside { border-left: 0; padding-left: 0; }
  .two { grid-template-columns: minmax(0, 1fr); gap: 2rem; }
}
@media (max-width: 44rem) {
  .snapshot-bar .choose { width: 100%; margin-left: 0; }
  .snapshot-bar .choose label { width: 100%; }
  .snapshot-bar select { flex: 1; width: auto; min-width: 0; }
  svg.chart:is(.middle, .small) { display: none; }
  svg.chart.narrow { display: block; max-width: 32rem; }
  .head .end, .head .legend { margin-left: 0; }
  .statement { grid-template-columns: 1fr; gap: 0; }
  .figure { display: grid; grid-template-columns: 1fr auto; gap: 0 0.75rem; align-items: baseline; padding: 0.6rem 0; border-bottom: 1px solid var(--rule); }
  .figure.beside { border-block: 1.5px dashed var(--rule-strong); }
  .figure .amount { font-size: 1.5rem; text-align: right; }
  .figure .change { grid-column: 2; text-align: right; }
  .figure .why { grid-column: 1; grid-row: 2; }
  .quarters { grid-template-columns: 1fr; }
  .quarters li { display: grid; grid-template-columns: 6rem 1fr auto; gap: 0.5rem; align-items: center; border-left: 0; border-bottom: 1px solid var(--rule); }
  .quarters svg { height: 56px; width: 60px; justify-self: center; }
  .quarters dl { text-align: right; }
  .ranking, .ranking tbody { display: block; }
  .ranking thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .ranking tr { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 0.35rem 0.75rem; padding: 0.75rem 0; border-bottom: 1px solid var(--rule); }
  .ranking tbody :is(td, th) { display: block; padding: 0; border: 0; text-align: left; }
  .ranking tbody th { grid-area: 1 / 1 / 3 / 3; }
  .ranking .net { grid-column: 3; text-align: right; }
  .ranking .line-cell { grid-area: 2 / 3; width: auto; }
  .ranking .small-line { width: 92px; height: 24px; margin-left: auto; }
  .ranking td[data-column]::before { display: block; content: attr(data-column); color: var(--ink-2); font-size: 0.75rem; }
  .bars .bar { width: 20%; }
  .bars tbody th { overflow-wrap: anywhere; }
  .decisions { columns: 1; }
  .ranking .bar { display: none; }
  .ranking tbody td { white-space: normal; }
  .months, .months tbody { display: block; }
  .months thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .months tr { display: grid; grid-template-columns: 1fr 1fr; gap: 0.1rem 0.75rem; padding: 0.5rem 0; border-bottom: 1px solid var(--rule); }
  .months tbody :is(td, th) { display: block; padding: 0; border: 0; text-align: left; }
  .months tbody th { grid-column: 1 / -1; font-weight: 600; }
  .months td:empty { display: none; }
  .months td[data-column]::before { content: attr(data-column) " "; color: var(--ink-2); font-size: 0.75rem; }
}
@media (max-width: 24rem) {
  svg.chart { font-size: 14px; }
  .figure .amount { font-size: 1.15rem; }
  .second .figure .amount { font-size: 1rem; }
  .ranking tr { grid-template-columns: 1fr 1fr; }
  .ranking tbody th { grid-area: 1 / 1 / 2 / 3; }
  .ranking .net { grid-column: 1; text-align: left; }
  .ranking .line-cell { grid-area: 2 / 2; }
  .quarters li { grid-template-columns: 4.5rem 1fr auto; padding-inline: 0; }
}
@media print { .snapshot-bar .choose, .tabs, details:not([open]) { display: none; } main > section, tr, .figure { break-inside: avoid; } }
`;
