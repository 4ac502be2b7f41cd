/** A notice about amounts that no total of a snapshot includes. */
import { html } from 'hono/html';
import { type LeftOutAmounts, leavesOut } from '../../figures/left-out.ts';
import type { LeftOutReason } from '../../figures/left-out-reasons.ts';
import {
  billSentences,
  helpingCommands,
  leftOutSentences,
  reasonSentences,
  reasonsOfBills,
} from '../../figures/left-out-words.ts';
import type { Html } from '../frame/site-layout.ts';
import { copyable } from '../frame/copyable.ts';

/** The sentence that stands above the commands. */
export const BEFORE_COMMANDS =
  'After these commands, the next snapshot has a dollar figure for each amount that has a published rate.';

/**
 * Shows the amounts that are left out, and the commands that convert them. `left_out` is null if the snapshot does not record it.
 * `root` is the path from the page to the top of the site.
 */
export function leftOutNote(left_out: LeftOutAmounts | null, root: string): Html {
  if (left_out === null) {
    return html`<p class="note">This snapshot does not record which amounts its totals leave out.</p>`;
  }
  if (!leavesOut(left_out)) {
    // Bills are not mentioned: in a snapshot of an older program they are not recorded.
    return html`<p>Every cost and all approved value have a dollar figure.</p>`;
  }
  return noteOf(leftOutSentences(left_out), left_out.reasons, root);
}

/** The bills that the dollar totals of AI spend leave out; nothing if they leave out none, or if the snapshot does not record it. */
export function billsNote(left_out: LeftOutAmounts | null, root: string): Html | '' {
  const sentences = billSentences(left_out?.bills);
  if (sentences.length === 0) return '';
  return html`<div id="left-out-bills">${noteOf(sentences, reasonsOfBills(left_out?.reasons), root)}</div>`;
}

function noteOf(
  sentences: readonly string[],
  reasons: readonly LeftOutReason[] | undefined,
  root: string,
): Html {
  const commands = helpingCommands(reasons);
  return html`<div class="note">
      ${sentences.map((each) => html`<p><strong>Left out:</strong> ${each}</p>`)}
      ${reasonSentences(reasons).map((each) => html`<p>${each}</p>`)}
      <p>
        ${commands.length === 0 ? '' : BEFORE_COMMANDS}
        <a href="${root}docs/dollar-conversion">How an amount becomes dollars</a>
      </p>
    </div>
    ${commands.length === 0 ? '' : copyable(commands.join('\n'), 'The commands that convert the amounts to dollars')}`;
}
