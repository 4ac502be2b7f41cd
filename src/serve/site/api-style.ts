/** The CSS of the API reference, loaded after the CSS of the site. The page shows the list of routes, their text, and examples. */
export const API_STYLE = `main:has(.reference) { max-width: 84rem; }
.routes ul { margin: 0; padding: 0; list-style: none; }
.routes ul ul { padding-left: 0.75rem; border-left: 1px solid var(--rule); }
.routes a { display: block; padding: 0.2rem 0; color: inherit; text-decoration: none; font-size: 0.9rem; }
.routes a:hover { text-decoration: underline; }
.routes + div > h1 { margin-top: 1.5rem; }
.routes a[aria-current] { font-weight: 650; }
.reference section { padding-block: 1.5rem 2.5rem; border-top: 1px solid var(--rule); scroll-margin-top: 1rem; }
.reference h2 { margin-top: 0; overflow-wrap: anywhere; }
.reference h2 a { color: inherit; text-decoration: none; }
.reference section > div { min-width: 0; }
.fields { margin: 0; }
.fields > div { padding: 0.5rem 0; border-top: 1px solid var(--rule); }
.fields dt { overflow-wrap: anywhere; }
.fields dd { margin: 0.15rem 0 0; font-size: 0.95rem; }
.examples pre { max-height: 34rem; overflow: auto; }
@media (min-width: 64rem) {
  .reference { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 0 2.5rem; }
  .routes + div > h1 { margin-top: 0; }
  .routes { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
  .reference section { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 2rem; }
  .examples { position: sticky; top: 1rem; align-self: start; }
}
@media print { .routes { display: none; } }
`;
