/** The page of tonight's run: how the builds of the account's last nights ended, and what to do about them. */
import { html } from 'hono/html';
import type { OwnNight } from './own-nights.ts';
import { shownCount, shownDollars } from './shown-values.ts';

const STATES: Readonly<Record<OwnNight['state'], string>> = {
  queued: 'waiting for a worker',
  building: 'being built',
  published: 'published',
  off: 'not built: reporting was switched off',
  refused: 'refused by the audit, and tried again',
  failed: 'failed, and tried again',
  dead: 'given up on after its last try',
};

/** The text of the page, the newest night first as given. */
export function nightBody(nights: readonly OwnNight[]) {
  const [newest, ...earlier] = nights;
  if (newest === undefined) {
    return html`<h1>Tonight's run</h1>
      <p class="note">No night of the last fourteen was queued for this account.</p>
      <p>
        <code>npm run cli -- status</code> says how far the night has come;
        <a href="docs/bad-night">what to do about a bad night</a>.
      </p>`;
  }
  return html`<h1>Tonight's run</h1>
    <p class="lead">Night of ${newest.night}: ${STATES[newest.state]}.</p>
    ${troubleOf(newest)}
    <h2 id="earlier">Nights before</h2>
    ${earlier.length === 0 ? html`<p>None is remembered.</p>` : earlierTable(earlier)}`;
}

function troubleOf({ trouble, tries, night }: OwnNight) {
  if (trouble === null) return '';
  const { code, told, cents_off, since, next } = trouble;
  return html`<div class="note bad" role="alert">
      <p><strong>${code}</strong>: ${told}</p>
      <dl>
        ${
          cents_off === null
            ? ''
            : html`<dt>Off by</dt>
                <dd>${offBy(cents_off)}</dd>`
        }
        <dt>Since</dt>
        <dd>${since === night ? 'this night' : `the night of ${since}`}</dd>
        <dt>Tries</dt>
        <dd>${shownCount(tries)}</dd>
      </dl>
    </div>
    <h2 id="next">Run next</h2>
    <pre tabindex="0" aria-label="The command to run next"><code class="copy">${next.command}</code></pre>
    <p>
      ${sentence(next.why)} Whatever was published before is still served;
      <a href="docs/bad-night">what else to look at</a>.
    </p>`;
}

function sentence(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}.`;
}

function offBy(cents: number): string {
  return `${shownCount(cents)} ${cents === 1 ? 'cent' : 'cents'} (${shownDollars(BigInt(cents))})`;
}

function earlierTable(nights: readonly OwnNight[]) {
  return html`<div class="wide" tabindex="0" role="region" aria-label="Nights before">
    <table>
      <thead>
        <tr>
          <th scope="col">Night</th>
          <th scope="col">Ended</th>
          <th scope="col">Because</th>
        </tr>
      </thead>
      <tbody>
        ${nights.map(
          ({ night, state, trouble }) =>
            html`<tr>
              <th scope="row">${night}</th>
              <td>${STATES[state]}</td>
              <td>${trouble?.code ?? ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
