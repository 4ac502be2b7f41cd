/** What an account without initiatives shows instead of zeros: the three commands that give it figures. */
import { html } from 'hono/html';
import { copyable } from '../frame/copyable.ts';
import type { Html } from '../frame/site-layout.ts';

const OWN = './own';

/** The commands with their reasons, in order. */
export function firstSteps(account_id: bigint): Html {
  const steps = [
    [
      'Write example files',
      'Each is a table of the ledger with a few rows: replace them by your own.',
      `npx --no crossfoot init ${OWN}`,
    ],
    [
      'Load them',
      'A load takes all rows or none, and names each fault with its line.',
      `npx --no crossfoot load ${OWN} --account ${account_id}`,
    ],
    [
      'Build the first snapshot with figures',
      'Afterwards each night builds one.',
      `npx --no crossfoot build --account ${account_id}`,
    ],
  ] as const;
  return html`<p class="lead">This account has no initiative yet. Three commands give it figures.</p>
    <ol>
      ${steps.map(
        ([title, says, command]) =>
          html`<li>
            <p><b>${title}.</b> ${says}</p>
            ${copyable(command, title)}
          </li>`,
      )}
    </ol>
    <p><a href="docs/load-the-ledger">More about files and loads</a></p>`;
}
