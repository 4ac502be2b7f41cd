/** A notice about amounts that no total of a snapshot includes. */
import { html } from 'hono/html';
import { type LeftOutAmounts, leavesOut } from '../../figures/left-out.ts';
import { helpingCommands, leftOutSentences, reasonSentences } from '../../figures/left-out-words.ts';
import type { Html } from '../frame/site-layout.ts';
import { copyable } from '../frame/copyable.ts';

/** What stands above the commands. */
export const THEY_HELP =
  'These commands give amounts with a published rate their dollar figure in the next snapshot.';

/** The amounts left out and the commands that fix it, calmly: nothing failed. Null: the snapshot does not say. `root` is the path to the top. */
export function leftOutNote(left_out: LeftOutAmounts | null, root: string): Html {
  if (left_out === null) {
    return html`<p class="note">This snapshot does not record which amounts its totals leave out.</p>`;
  }
  if (!leavesOut(left_out)) {
    return html`<p>Every cost and all approved value have a dollar figure: nothing is left out.</p>`;
  }
  const commands = helpingCommands(left_out.reasons);
  return html`<div class="note">
      ${leftOutSentences(left_out).map((each) => html`<p><strong>Left out:</strong> ${each}</p>`)}
      ${reasonSentences(left_out.reasons).map((each) => html`<p>${each}</p>`)}
      <p>
        ${commands.length === 0 ? '' : THEY_HELP}
        <a href="${root}docs/dollar-conversion">How an amount becomes dollars</a>
      </p>
    </div>
    ${commands.length === 0 ? '' : copyable(commands.join('\n'), 'The commands that give the amounts dollars')}`;
}
