/** The drawings of the page of nights: a strip of fourteen nights, the stages of the last build, and recent builds. */
import { scaleLinear } from 'd3-scale';
import { html } from 'hono/html';
import { addDays, utcDay } from '../../figures/calendar.ts';
import { shownCount, shownDuration, shownSize } from '../../format.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { NightContext, OwnBuild, OwnNight } from './own-nights.ts';
import { pageTable } from '../frame/page-table.ts';
import { shownMoment } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import { type Instant, toMs } from '../../instant.ts';

const NIGHTS = 14;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const WIDTH = 420;
const HEIGHT = 14;

/** Each state as a sign with a word: color alone must not say it. */
const SIGNS = {
  published: ['✓', 'published', 'good'],
  off: ['–', 'switched off', ''],
  queued: ['…', 'waiting', ''],
  building: ['…', 'being built', ''],
  refused: ['✕', 'refused', 'bad'],
  failed: ['✕', 'failed', 'bad'],
  dead: ['✕', 'failed, no retry left', 'bad'],
  absent: ['·', 'not queued', ''],
  next: ['○', 'next', ''],
} as const;

interface Ends extends Pick<NightContext, 'next_at'> {
  /** The day of the account's first night; null if it is not known. */
  readonly first_night: string | null;
}

/** The last fourteen nights since the first one, oldest first, and the next; `now` is. */
export function nightStrip(nights: readonly OwnNight[], { next_at, first_night }: Ends, now: Instant): Html {
  const days = Array.from({ length: NIGHTS }, (_, back) => addDays(utcDay(now), back - NIGHTS + 1)).filter(
    (day) => first_night === null || day >= first_night,
  );
  const shown = days.map(
    (day) => ({ day, state: nights.find(({ night }) => night === day)?.state ?? 'absent' }) as const,
  );
  const next = next_at === null ? null : utcDay(next_at);
  // Before the night of today is due, it is the next one.
  const strip = [
    ...shown.filter(({ day, state }) => day !== next || state !== 'absent'),
    ...(next === null ? [] : [{ day: next, state: 'next' } as const]),
  ];
  return html`<div class="head">
      <h2 id="strip">${days.length === NIGHTS ? 'Fourteen nights' : 'Nights so far'}</h2>
      <p class="legend" aria-hidden="true">
        ${[SIGNS.published, SIGNS.refused, SIGNS.off, ['·', 'no night'], SIGNS.next].map(([sign, word]) => html`<span>${sign} ${word}</span>`)}
      </p>
    </div>
    <ol class="strip">
      ${strip.map(({ day, state }) => {
        const [sign, word, tone] = SIGNS[state];
        return html`<li class="${state === 'next' ? 'next' : tone}">
          <strong class="${tone}" aria-hidden="true">${sign}</strong>
          <time datetime="${day}"
            >${WEEKDAYS[new Date(day).getUTCDay()] ?? ''} <b>${Number(day.slice(8))}</b></time
          >
          <span>${word}</span>
        </li>`;
      })}
    </ol>`;
}

/** A sentence: when the next night falls due. */
export function nextRun(next_at: NightContext['next_at']): Html {
  if (next_at === null) return html`The schedule has no further night.`;
  return html`The next night is due at ${shownMoment(next_at)}.`;
}

/** The readable snapshots, newest first. */
type Listed = readonly Pick<ReadableSnapshot, 'snapshot_id'>[];

/** The builds on this machine, with the stages of the last ended build. */
export function buildsSection(builds: readonly OwnBuild[], listed: Listed): Html {
  if (builds.length === 0) {
    return html`<h2 id="builds">Builds</h2>
      <p>
        No build of this account ran on the machine of this server. On the machine of a worker,
        <code>npx --no crossfoot why</code> tells of its own.
      </p>`;
  }
  const last = builds.find(({ ended_at }) => ended_at !== null);
  return html`${last === undefined ? '' : stages(last)}
    <h2 id="builds">Builds on this machine</h2>
    ${pageTable(
      'Builds on this machine',
      ['Begun', 'Started', 'Outcome', 'Snapshot', 'What moved', { number: 'Time' }],
      builds.map((build) => buildRow(build, listed)),
    )}`;
}

/** How a build was started. */
export const STARTED = { night: 'by the night', queue: 'by a rebuild', hand: 'by hand' } as const;
const OUTCOMES: Readonly<Record<OwnBuild['outcome'], readonly [words: string, tone: string]>> = {
  running: ['not ended', ''],
  published: ['✓ published', 'good'],
  superseded: ['a newer snapshot was there', ''],
  skipped: ['nothing to do', ''],
  failed: ['✕ failed', 'bad'],
};

function buildRow(
  { began_at, ended_at, started_by, outcome, snapshot_id, code }: OwnBuild,
  listed: Listed,
): Html {
  const [words, tone] = OUTCOMES[outcome];
  return html`<tr>
    <th scope="row">${shownMoment(began_at)}</th>
    <td data-column="Started">${started_by === null ? '' : STARTED[started_by]}</td>
    <td data-column="Outcome"><strong class="${tone}">${words}</strong> ${code ?? ''}</td>
    <td data-column="Snapshot">
      ${snapshot_id === null ? '' : html`<a href="snapshots/${snapshot_id}">${snapshot_id}</a>`}
    </td>
    <td data-column="What moved">${outcome === 'published' ? whatMoved(snapshot_id, listed) : ''}</td>
    <td class="number" data-column="Time">
      ${ended_at === null ? '' : shownDuration(toMs(ended_at - began_at))}
    </td>
  </tr>`;
}

/** A link to the comparison with the snapshot before, as long as both are kept. */
function whatMoved(snapshot_id: string | null, listed: Listed): Html | '' {
  const index = listed.findIndex((each) => each.snapshot_id === snapshot_id);
  if (index === -1 || index === listed.length - 1) return '';
  return html`<a href="snapshots/${snapshot_id}/changes">since the one before</a>`;
}

/** The stages that the build reached, each from the end of the one before. */
function stages({ began_at, tables_at, audited_at, ended_at, snapshot_id, tables }: OwnBuild): Html | '' {
  if (ended_at === null) return '';
  const ends = [
    ['Take one moment and write the tables', tables_at],
    ['Control totals, and the audit by a second engine', audited_at],
  ] as const;
  const reached = ends.flatMap(([name, at]) => (at === null ? [] : [{ name, at }]));
  const all = [
    ...reached,
    { name: reached.length === ends.length ? 'Publish' : 'Until the end', at: ended_at },
  ];
  const scale = scaleLinear([0, Math.max(1, toMs(ended_at - began_at))], [0, WIDTH]);
  return html`<h2 id="stages">Stages of the last build</h2>
    <p class="quiet">
      ${snapshot_id === null ? 'It published nothing.' : html`<a href="snapshots/${snapshot_id}">${snapshot_id}</a>`}
      Begun at ${shownMoment(began_at)}.
    </p>
    <table class="stages">
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">From begin to end</th>
          <th scope="col" class="number">Time</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(({ name, at }, index) => {
          const from = all[index - 1]?.at ?? began_at;
          const [left, right] = [scale(toMs(from - began_at)), scale(toMs(at - began_at))];
          return html`<tr>
            <th scope="row">${name}</th>
            <td class="bar">
              <svg class="stage" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
                <path d="M0 ${HEIGHT / 2}H${WIDTH}" />
                <rect
                  x="${left.toFixed(1)}"
                  width="${Math.max(1, right - left).toFixed(1)}"
                  height="${HEIGHT}"
                />
              </svg>
            </td>
            <td class="number">${shownDuration(toMs(at - from))}</td>
          </tr>`;
        })}
        <tr class="sum">
          <th scope="row">Whole build</th>
          <td></td>
          <td class="number">${shownDuration(toMs(ended_at - began_at))}</td>
        </tr>
      </tbody>
    </table>
    ${tables.length === 0 ? '' : tableTimes(tables)}`;
}

/** How long each table took; a build of a large account writes several tables at a time. */
function tableTimes(tables: OwnBuild['tables']): Html {
  return html`<details>
    <summary>Time of each table</summary>
    ${pageTable(
      'Time of each table',
      ['Table', { number: 'Rows' }, { number: 'Size' }, { number: 'Time' }],
      tables.map(
        ({ name, rows, bytes, ms }) =>
          html`<tr>
            <th scope="row"><a href="tables/${name}">${name}</a></th>
            <td class="number" data-column="Rows">${shownCount(rows)}</td>
            <td class="number" data-column="Size">${shownSize(bytes)}</td>
            <td class="number" data-column="Time">${shownDuration(ms)}</td>
          </tr>`,
      ),
    )}
  </details>`;
}
