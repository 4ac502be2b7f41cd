/** The style of running text, as articles are. */
export const TEXT_STYLE = `main p, main ul, main ol, main blockquote { max-width: 44rem; }
main ul, main ol { padding-left: 1.25rem; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
h1, h2, h3 { line-height: 1.25; font-weight: 650; text-wrap: balance; }
h1 { font-size: clamp(1.5rem, 1.2rem + 1.4vw, 2rem); letter-spacing: -0.01em; margin: 0 0 0.5rem; }
h2 { font-size: 1.3rem; margin: 2.75rem 0 0.75rem; }
h3 { font-size: 1.05rem; margin: 2rem 0 0.5rem; }
.lead { margin: 0 0 1.5rem; font-size: 1.1rem; color: var(--quiet); text-wrap: pretty; }
.quiet, li > span { color: var(--quiet); }
li > span { display: block; margin-bottom: 0.5rem; font-size: 0.95rem; }
code, pre, textarea { font-family: var(--code); background: var(--raised); }
code { padding: 0.1em 0.3em; border-radius: 3px; font-size: 0.88em; overflow-wrap: anywhere; }
pre { padding: 0.85rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; font-size: 0.88rem; line-height: 1.55; }
pre code { padding: 0; font-size: inherit; overflow-wrap: normal; }
article + nav { border-top: 1px solid var(--line); margin-top: 3.5rem; }
@media print { article + nav { display: none; } }
`;
