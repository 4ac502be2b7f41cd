/** The page that proves a snapshot in the reader's own browser. Its script fills in the result. */
import { html } from 'hono/html';
import { shownSize } from '../../format.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { Html } from '../frame/site-layout.ts';
import { copyable } from '../frame/copyable.ts';
import { definePage, type ShownPage } from '../frame/define-page.ts';
import { redirectWithin } from '../http/header-values.ts';
import { addressMoves, type ReportingParts, requireSnapshot } from '../reporting/chosen-snapshot.ts';
import type { BarParts } from './snapshot-bar.ts';

/** The maximum size of a snapshot that a browser proves in memory; `src/prover/load.ts` has the same maximum. */
const MAX_PROOF_BYTES = 200_000_000;

export const provePage = definePage({
  path: '/snapshots/{snapshot_id}/prove',
  title: 'Prove a snapshot',
  here: '',
  access: 'sign-in',
  loads: ["worker-src 'self'", "connect-src 'self'"],
  query: [],
  says: 'Proves a snapshot in the browser: signature, digests and sums.',
  body:
    (parts: ReportingParts & BarParts) =>
    async ({ c, root, named }) => {
      const snapshot = await requireSnapshot(parts, c, named.snapshot_id);
      // The script loads files below the address of the page, for minutes: they must be of one snapshot.
      if (addressMoves(c, snapshot)) return redirectWithin(c, `../${snapshot.snapshot_id}/prove`, 303);
      const bar = await parts.contextBar(c, snapshot, { root, choice: null });
      const { body, scripts } = proveBody(snapshot, parts.baseUrl());
      return { title: `Prove snapshot ${snapshot.snapshot_id}`, body: html`${bar} ${body}`, scripts };
    },
});

/** The body. The page has the script only if the snapshot is small enough for a browser; it always has the command. */
function proveBody(
  { snapshot_id, tables, files }: ReadableSnapshot,
  baseUrl: string,
): Required<Pick<ShownPage, 'body' | 'scripts'>> {
  const bytes = [...tables, ...files].reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const isSmall = bytes <= MAX_PROOF_BYTES;
  const command = `CROSSFOOT_TOKEN="$TOKEN" npx --no crossfoot pull --url ${baseUrl} --to snapshots --snapshot ${snapshot_id} --audit --key 'ssh-ed25519 AAAA…'`;
  const body = html`<h1>Prove snapshot ${snapshot_id}</h1>
    <p class="lead">
      <a href="../${snapshot_id}">This snapshot</a> can be checked without trusting the program that made it.
    </p>
    <ul>
      <li>The signature of its manifest, and every entry of the publish log up to it.</li>
      <li>The SHA-256 of each of its ${tables.length + files.length} files.</li>
      <li>
        Every window of <code>reported_totals</code>, added up again from <code>costs</code> and
        <code>reported_value</code>.
      </li>
    </ul>
    ${isSmall ? checkForm(snapshot_id, bytes) : tooLarge(bytes)}
    <h2 id="command">With a program instead</h2>
    <p>
      This command checks signature, publish log and files, and runs the whole audit. Get the key from the
      publisher in another way. <a href="../../docs/verify-a-snapshot">More about verifying</a>.
    </p>
    ${copyable(command, 'Command')}`;
  return { body, scripts: isSmall ? ['prove/page.js'] : [] };
}

function tooLarge(bytes: number): Html {
  return html`<div class="note">
    <p>
      The files have ${shownSize(bytes)}. A browser checks up to ${shownSize(MAX_PROOF_BYTES)}: run the
      command below.
    </p>
  </div>`;
}

function checkForm(snapshot_id: string, bytes: number): Html {
  return html`<div id="offer" hidden>
      <form
        id="prove"
        class="sign-in"
        data-snapshot="${snapshot_id}"
        data-worker="../../prove/worker.js"
        data-keys="../../v1/reporting/keys"
      >
        <label for="key">Public key of the publisher</label>
        <input id="key" name="key" autocomplete="off" spellcheck="false" aria-describedby="about-key" />
        <p id="about-key">
          As OpenSSH writes it; after a change of keys, the old key and the new one. If you leave it empty,
          the page trusts
          <a href="../../v1/reporting/keys">the keys that this server lists</a>.
        </p>
        <button>Load and check ${shownSize(bytes)}</button>
      </form>
    </div>
    <noscript><p>The check needs JavaScript. The command below needs none.</p></noscript>
    <p id="state" role="status"></p>
    <progress id="progress" aria-label="Progress" hidden></progress>
    <p>
      <button id="cancel" type="button" hidden>Cancel</button>
      <button id="again" type="button" hidden>Check again from memory</button>
      <button id="save" type="button" hidden>Save the report</button>
    </p>
    <div id="result"></div>`;
}
