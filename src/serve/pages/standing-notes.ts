/** How a snapshot stands, in words: what keeps it, what speaks against it, and until when it is there. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/served-manifest.ts';
import type { Html } from '../site/site-layout.ts';
import { shownMoment } from './shown-values.ts';

type Marked = Pick<ReadableSnapshot, 'expires_at' | 'pins' | 'retraction' | 'quarantine'>;

/** Each as a line of a cell, the worst first. */
export function standingLines({ expires_at, pins, retraction, quarantine }: Marked): readonly Html[] {
  const kept =
    expires_at === null ? html`<div>newest</div>` : html`<div>until ${shownMoment(expires_at)}</div>`;
  return [
    ...(retraction === null ? [] : [html`<div><strong class="bad">retracted</strong></div>`]),
    ...(quarantine === null ? [] : [html`<div><strong class="bad">damaged</strong></div>`]),
    ...pins.map(({ name }) => html`<div>pinned as ${name}</div>`),
    kept,
  ];
}

/** Each as a paragraph, with its reason; `before` is what leads to another snapshot, before its id. */
export function standingNotes({ pins, retraction, quarantine }: Marked, before: string): readonly Html[] {
  return [
    ...(retraction === null ? [] : [retractedNote(retraction, before)]),
    ...(quarantine === null
      ? []
      : [
          html`<p class="note bad" role="alert">
            <strong>Damaged:</strong> since ${shownMoment(quarantine.at)} these files are not what was audited
            and cannot be read: ${quarantine.files.join(', ')}.
          </p>`,
        ]),
    ...pins.map(
      ({ name, until }) =>
        html`<p class="note">Pinned as <strong>${name}</strong> until ${shownMoment(until)}.</p>`,
    ),
  ];
}

function retractedNote({ reason, at, replaced_by }: NonNullable<Marked['retraction']>, before: string): Html {
  const instead = html` Read <a href="${before}${replaced_by}">${replaced_by}</a> instead.`;
  return html`<p class="note bad" role="alert">
    <strong>Retracted</strong> on ${shownMoment(at)}: ${reason}${replaced_by === null ? '' : instead}
  </p>`;
}
