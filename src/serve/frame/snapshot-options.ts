/** The choices of a form that chooses a snapshot: when each was taken, and by which name it is kept. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { formatInstant } from '../../time.ts';
import type { Html } from './site-layout.ts';

/** One option for each listed snapshot, newest first; `chosen` is the id of the selected snapshot. */
export function snapshotOptions(listed: readonly ReadableSnapshot[], chosen: string): readonly Html[] {
  return listed.map(({ snapshot_id, generated_at, pins }, index) => {
    const names = [...(index === 0 ? ['newest'] : []), ...pins.map(({ name }) => name)];
    return html`<option value="${snapshot_id}" ${snapshot_id === chosen ? 'selected' : ''}>
      ${momentOf(generated_at)}${names.length === 0 ? '' : ` (${names.join(', ')})`}
    </option>`;
  });
}

/** To the second, as the id has it: two snapshots of one minute must differ. */
function momentOf(moment: ReadableSnapshot['generated_at']): string {
  return `${formatInstant(moment).slice(0, 19).replace('T', ' ')} UTC`;
}

interface Choice {
  readonly listed: readonly ReadableSnapshot[];
  readonly chosen: string;
}

/** The field and the button that show the same page of another snapshot, inside a form. */
export function snapshotChoice({ listed, chosen }: Choice): Html {
  return html`<span class="choose">
    <label for="snapshot">Other snapshot</label>
    <select id="snapshot" name="snapshot">
      ${snapshotOptions(listed, chosen)}
    </select>
    <button>Show</button>
  </span>`;
}
