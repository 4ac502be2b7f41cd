/** A notice about amounts that no total of a snapshot includes. */
import { html } from 'hono/html';
import { type LeftOutAmounts, leavesOut } from '../../figures/left-out.ts';
import { leftOutSentences, RATE_COMMANDS } from '../../figures/left-out-words.ts';
import type { Html } from '../site/site-layout.ts';
import { copyable } from './copyable.ts';

/** The amounts left out and the commands that fix it; null: the snapshot does not say. `root` is the path to the top. */
export function leftOutNote(left_out: LeftOutAmounts | null, root: string): Html {
  if (left_out === null) {
    return html`<p class="note">This snapshot does not record which amounts its totals leave out.</p>`;
  }
  if (!leavesOut(left_out)) {
    return html`<p>Every cost and all approved value have a dollar figure: nothing is left out.</p>`;
  }
  return html`<div class="note bad" role="alert">
      ${leftOutSentences(left_out).map((each) => html`<p><strong class="bad">Left out:</strong> ${each}</p>`)}
      <p>
        Where rates are published, these commands give the amounts a dollar figure for the next snapshot.
        Where none are, the amounts wait.
        <a href="${root}docs/dollar-conversion">How an amount becomes dollars</a>
      </p>
    </div>
    ${copyable(RATE_COMMANDS.join('\n'), 'The commands that import and apply rates')}`;
}
