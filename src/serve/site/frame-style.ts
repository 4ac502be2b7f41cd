/** The style of the frame of every page: the reader's colour scheme and fonts; it loads no other file. */
export const FRAME_STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#fff, #0f1318);
  --raised: light-dark(#f5f7f9, #181e26);
  --text: light-dark(#1a2029, #e6e9ee);
  --quiet: light-dark(#556171, #a4afbe);
  --line: light-dark(#dde2e8, #2c3440);
  --link: light-dark(#0a56ae, #8ab9ff);
  --bad: light-dark(#b0241c, #ff9d93);
  --bad-ground: light-dark(#fdf2f1, #2b1817);
  --good: light-dark(#17693a, #7fd6a1);
  --letters: -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, "Helvetica Neue", Arial, sans-serif;
  --code: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.6 var(--letters); }
.frame, main { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
header { background: var(--raised); border-bottom: 1px solid var(--line); }
.frame, header nav { display: flex; flex-wrap: wrap; align-items: center; }
.frame { gap: 0 1.75rem; padding-block: 0.4rem; min-height: 3.25rem; }
header nav { gap: 0 1.25rem; flex: 1; }
header nav a, .brand { padding: 0.3rem 0; text-decoration: none; color: var(--quiet); border-block: 2px solid transparent; }
header nav a:hover { color: var(--text); }
header nav a[aria-current] { color: var(--text); border-bottom-color: var(--link); }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; color: var(--text); font-weight: 650; }
.brand svg { width: 1.1rem; height: 1.1rem; fill: var(--line); }
.brand path + path { fill: var(--link); }
main { padding-block: 2rem 5rem; overflow-wrap: break-word; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 1; background: var(--ground); padding: 0.25rem 0.75rem; }
header button { padding: 0.2rem 0.75rem; border-color: var(--line); font-size: 0.95rem; }
@media (max-width: 40rem) {
  .frame { padding-block: 0.75rem; }
  .brand { flex: 1; }
  header nav { flex: 1 0 100%; order: 1; }
}
@media print { header, .skip { display: none; } }
`;
