/** The style of running text, as articles are. */
export const TEXT_STYLE = `main p, main ul, main ol, main blockquote { max-width: 44rem; }
main ul, main ol { padding-left: 1.25rem; }
a { color: inherit; text-decoration-color: var(--rule-strong); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:hover { text-decoration-color: currentcolor; text-decoration-thickness: 2px; }
h1, h2, h3 { line-height: 1.25; font-weight: 650; text-wrap: balance; }
h1 { font-size: clamp(1.5rem, 1.2rem + 1.4vw, 2rem); letter-spacing: -0.01em; margin: 0 0 0.5rem; }
h2 { font-size: 1.3rem; margin: 2.75rem 0 0.75rem; }
h3 { font-size: 1.05rem; margin: 2rem 0 0.5rem; }
.lead { margin: 0 0 1.5rem; font-size: 1.1rem; color: var(--ink-2); text-wrap: pretty; }
.quiet, li > span { color: var(--ink-2); }
li > span { display: block; margin-bottom: 0.5rem; font-size: 0.95rem; }
code, pre, textarea { font-family: var(--code); background: var(--sheet); }
code { padding: 0.1em 0.3em; border-radius: 3px; font-size: 0.88em; overflow-wrap: anywhere; }
pre { padding: 0.85rem 1rem; overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; font-size: 0.88rem; line-height: 1.55; }
/* The script puts a button beside a block or a word that can be copied. */
.with-copy { position: relative; max-width: 100%; }
.with-copy > :is(pre, .copy) { padding-right: 5rem; }
button.copies { padding: 0.1rem 0.6rem; border-color: var(--rule-strong); background: var(--paper); font: 0.75rem/1.25rem var(--letters); }
.with-copy > button.copies { position: absolute; top: 0.5rem; right: 0.5rem; min-height: 1.5rem; }
[data-copy] + button.copies { margin-left: 0.4rem; vertical-align: middle; }
pre code { padding: 0; font-size: inherit; overflow-wrap: normal; }
:is(h1, h2, h3) > a[href^="#"] { color: inherit; text-decoration: none; }
:is(h1, h2, h3) > a[href^="#"]:hover { text-decoration: underline; }
.tree { border-top: 1px solid var(--rule); margin-top: 3.5rem; padding-top: 1.5rem; font-size: 0.9rem; }
.tree details { border: 0; }
.tree summary { padding: 0.25rem 0; }
.tree details > ul { margin: 0 0 0.5rem; padding: 0; list-style: none; }
.tree li a { display: block; padding: 0.2rem 0 0.2rem 0.75rem; border-left: 2px solid var(--rule); color: inherit; text-decoration: none; }
.tree li a:hover { text-decoration: underline; }
.tree li a[aria-current] { border-color: var(--ink); font-weight: 650; }
a.search { display: block; max-width: 30rem; margin-bottom: 1rem; padding: 0.4rem 0.75rem; border: 1px solid var(--rule); border-radius: 6px; color: var(--ink-2); text-decoration: none; }
a.search:hover { border-color: var(--ink); color: var(--ink); }
form.search { display: flex; flex-wrap: wrap; gap: 0.5rem; max-width: 44rem; margin-block: 1rem 2rem; }
form.search input { flex: 1 1 16rem; min-width: 0; }
.around { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; max-width: 44rem; margin-top: 3rem; }
.around a { text-decoration: none; }
.around a[rel="next"] { margin-left: auto; text-align: right; }
.around span { display: block; color: var(--ink-2); font-size: 0.85rem; }
@media (min-width: 64rem) {
  .docs { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 3rem; }
  .docs > article { grid-area: 1 / 2; }
  .tree { grid-area: 1 / 1; position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; border: 0; margin: 0; padding: 0; }
}
@media print { .tree, .around, button.copies { display: none; } }
`;
