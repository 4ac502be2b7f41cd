/** The status of a snapshot in words: pins, retraction, damage, and until when it can be read. */
import { html } from 'hono/html';
import { readableAtLeastUntil } from '../../snapshot/format/retention.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { Quarantine } from '../../snapshot/format/snapshot-status.ts';
import type { Html } from '../frame/site-layout.ts';
import { shownSentence } from '../../format.ts';
import { shownMoment } from '../frame/shown-values.ts';
import type { Instant } from '../../instant.ts';

type Marked = Pick<ReadableSnapshot, 'pins' | 'retraction' | 'quarantine'>;

/** A mark of one or two words for each status (pinned, retracted, damaged), the most serious first. */
export function standingMarks({ pins, retraction, quarantine }: Marked): readonly Html[] {
  return [
    ...(retraction === null ? [] : [html`<span class="mark bad">retracted</span>`]),
    ...(quarantine === null ? [] : [html`<span class="mark bad">damaged</span>`]),
    ...pins.map(({ name }) => html`<span class="mark">pinned as ${name}</span>`),
  ];
}

/** Until when the snapshot can be read, `now`: not before its last pin ends. */
export function shownKept(
  { expires_at, generated_at, pins }: Pick<ReadableSnapshot, 'expires_at' | 'generated_at' | 'pins'>,
  now: Instant,
): Html {
  if (expires_at !== null) return shownMoment(expires_at);
  const least = pins.reduce(
    (last, { until }) => (until > last ? until : last),
    readableAtLeastUntil(generated_at, now),
  );
  return html`at least ${shownMoment(least)}, and while it is the newest`;
}

/** A paragraph for each mark, with its reason. `before` is the path to another snapshot, without its id at the end. */
export function standingNotes({ pins, retraction, quarantine }: Marked, before: string): readonly Html[] {
  return [
    ...(retraction === null ? [] : [retractedNote('Retracted', retraction, before)]),
    ...(quarantine === null ? [] : [damagedNote('Damaged', quarantine)]),
    ...pins.map(
      ({ name, until }) =>
        html`<p class="note">Pinned as <strong>${name}</strong> until ${shownMoment(until)}.</p>`,
    ),
  ];
}

/** What is damaged, and what helps. */
export function damagedNote(subject: string, { at, files }: Quarantine): Html {
  return html`<p class="note bad" role="alert">
    <strong class="bad">${subject}:</strong> since ${shownMoment(at)} these files are missing, or are not what
    was audited, and cannot be read: ${files.join(', ')}. An operator restores them from a copy, then runs
    <code>npx --no crossfoot scrub</code>.
  </p>`;
}

/** What was retracted, when, why, and what to read instead. `before` is as for `standingNotes`, `after` a further sentence. */
export function retractedNote(
  subject: Html | string,
  { reason, at, replaced_by }: NonNullable<Marked['retraction']>,
  before: string,
  after: Html | string = '',
): Html {
  const instead = html` Read <a href="${before}${replaced_by}">${replaced_by}</a> instead.`;
  return html`<p class="note bad" role="alert">
    <strong class="bad">${subject}</strong> on ${shownMoment(at)}:
    ${shownSentence(reason)}${replaced_by === null ? '' : instead}${after}
  </p>`;
}
