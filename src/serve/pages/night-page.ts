/** The page of recent nights: how the builds of the account ended, and what to do about a failure. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { leavesOut } from '../../figures/left-out.ts';
import { helpingCommands } from '../../figures/left-out-words.ts';
import { utcDay } from '../../figures/calendar.ts';
import { secondOfSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { isCrossfootError } from '../../errors.ts';
import { shownCount } from '../../format.ts';
import { errorFields } from '../../log.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { accountOf } from '../reporting/chosen-snapshot.ts';
import { definePage } from '../frame/define-page.ts';
import { copyable } from '../frame/copyable.ts';
import { leftOutNote } from './left-out-note.ts';
import { deliveriesSection } from './deliveries-section.ts';
import { buildsSection, nextRun, nightStrip, STARTED } from './night-strip.ts';
import type { NightParts, NightContext, OwnBuild, OwnNight } from './own-nights.ts';
import type { Html } from '../frame/site-layout.ts';
import { factList, pageTable } from '../frame/page-table.ts';
import { type BarParts, liveBar } from './snapshot-bar.ts';
import {
  damage,
  newestFault,
  type NightSnapshots,
  retractedNewest,
  sentence,
  whatFollows,
} from './night-newest.ts';
import { shownDay, shownDollars, shownMoment } from '../frame/shown-values.ts';
import type { Instant } from '../../instant.ts';
import type { PendingBuild } from '../../next-step.ts';

const STATES: Readonly<Record<OwnNight['state'], string>> = {
  queued: 'waiting for a worker',
  building: 'being built',
  published: 'published',
  off: 'not built: reporting was switched off',
  refused: 'refused by the audit; a retry follows',
  failed: 'failed; a retry follows',
  dead: 'failed, with no retry left',
};

/** Whether the last night went well, as the page's title. */
const HEADINGS: Readonly<Record<OwnNight['state'], string>> = {
  queued: 'Last night is waiting',
  building: 'Last night is being built',
  published: 'Last night went well',
  off: 'Last night was not built',
  refused: 'Last night was refused',
  failed: 'Last night failed',
  dead: 'Last night failed',
};

/** The day of the account's first night: no earlier night and no earlier snapshot is known. Null if it cannot be known. */
function firstNight(nights: readonly OwnNight[], { first_id }: NightSnapshots): string | null {
  if (first_id === null) return null;
  const day = utcDay(secondOfSnapshotId(first_id));
  const oldest = nights.at(-1)?.night ?? day;
  return oldest < day ? oldest : day;
}

const LIVE = html`<p class="crumbs">This page is live, not of a snapshot.</p>`;

/** The body of the page, newest night first; `now` is. */
function nightBody(
  nights: readonly OwnNight[],
  snapshots: NightSnapshots,
  { builds, next_at, deliveries, pending }: NightContext,
  now: Instant,
) {
  const [newest, ...earlier] = nights;
  const { latest, listed } = snapshots;
  const failed = failedSince(builds, newest, listed);
  const strip = nightStrip(nights, { next_at, first_night: firstNight(nights, snapshots) }, now);
  if (newest === undefined) {
    return html`${LIVE}
      <h1>Tonight's run</h1>
      <p class="note">No night of the last fourteen was queued for this account.${builtOtherwise(builds)}</p>
      <p>
        <code data-copy="the command">npx --no crossfoot status</code> says how far the night has come;
        <a href="docs/bad-night">what to do about a bad night</a>.
      </p>
      <p>${nextRun(next_at)} ${whatFollows(pending)}</p>
      ${failed === undefined ? '' : troubleNote(failed.trouble, lastBuild(failed))}
      ${retractedNewest(snapshots, pending)} ${damage(snapshots, pending)} ${strip}
      ${incompleteTotals(latest)} ${buildsSection(builds, listed)} ${deliveriesSection(deliveries)}`;
  }
  return html`${LIVE}
    <h1>${headingOf(newest, failed, snapshots, pending)}</h1>
    <p class="lead">
      Night of ${shownDay(newest.night)}: ${STATES[newest.state]}. ${whatFollows(pending)} ${nextRun(next_at)}
      ${leftToDo(failed?.trouble ?? newest.trouble, snapshots)}
    </p>
    ${failed === undefined ? troubleOf(newest) : troubleNote(failed.trouble, lastBuild(failed))}
    ${retractedNewest(snapshots, pending)} ${damage(snapshots, pending)} ${strip} ${incompleteTotals(latest)}
    ${buildsSection(builds, listed)} ${deliveriesSection(deliveries)}
    <h2 id="earlier">Nights before</h2>
    ${earlier.length === 0 ? html`<p>No earlier night is recorded.</p>` : earlierTable(earlier)}`;
}

/** The heading: a running build first, then the last failure and the newest snapshot, then how the night ended. */
function headingOf(
  { state, trouble }: OwnNight,
  failed: FailedBuild | undefined,
  snapshots: NightSnapshots,
  pending: PendingBuild | null,
): string {
  if (failed !== undefined)
    return pending?.state === 'building' ? 'A build is running' : 'The last build failed';
  if (trouble !== null) return HEADINGS[state];
  const fault = newestFault(snapshots);
  if (fault === 'damaged') return 'The newest snapshot is damaged';
  return fault === 'retracted' ? 'The newest snapshot is retracted' : HEADINGS[state];
}

/** The newest snapshot of an account that had no night yet, in a sentence. */
function builtOtherwise(builds: readonly OwnBuild[]): Html | '' {
  const built = builds.find(({ outcome }) => outcome === 'published');
  if (built === undefined || built.snapshot_id === null) return '';
  const how = built.started_by === null ? '' : `${STARTED[built.started_by]} `;
  return html` Its newest snapshot,
    <a href="snapshots/${built.snapshot_id}">${built.snapshot_id}</a>, was built ${how}at
    ${shownMoment(built.began_at)}.`;
}

type FailedBuild = OwnBuild & { readonly trouble: NonNullable<OwnBuild['trouble']> };

/** The last ended build of this machine, if it failed after the night went well and no newer snapshot is there. */
function failedSince(
  builds: readonly OwnBuild[],
  night: OwnNight | undefined,
  [newest]: NightSnapshots['listed'],
): FailedBuild | undefined {
  const last = builds.find(({ ended_at }) => ended_at !== null);
  const isTold = night !== undefined && night.trouble !== null;
  if (isTold || last === undefined || last.trouble === null) return undefined;
  // Another machine may have published since.
  const isOld = newest !== undefined && secondOfSnapshotId(newest.snapshot_id) > last.began_at;
  return isOld ? undefined : { ...last, trouble: last.trouble };
}

/** When and how that build began. */
function lastBuild({ began_at, started_by }: OwnBuild): Html {
  return html`<p>
    The build of ${shownMoment(began_at)}${started_by === null ? '' : html`, started ${STARTED[started_by]}`},
    published nothing.
  </p>`;
}

/** What a person has to do, in a sentence with a link to it. */
function leftToDo(trouble: OwnBuild['trouble'], snapshots: NightSnapshots): Html {
  if (trouble !== null) return html`<a href="#next">What to do next</a>`;
  const fault = newestFault(snapshots);
  if (fault !== null) return html`Left to do: <a href="#${fault}">build a new snapshot</a>.`;
  const { latest, listed } = snapshots;
  if (listed.some(({ quarantine }) => quarantine !== null)) {
    return html`Left to do: <a href="#damaged">restore the damaged files</a>.`;
  }
  const left_out = latest?.left_out ?? null;
  if (left_out !== null && leavesOut(left_out) && helpingCommands(left_out.reasons).length > 0) {
    return html`Left to do: <a href="#left-out">give the amounts in no total a dollar figure</a>.`;
  }
  return html`Nothing is left to do.`;
}

/** The amounts that the newest snapshot's totals leave out; nothing if they are complete or the snapshot does not say. */
function incompleteTotals(latest: Pick<ReadableSnapshot, 'left_out'> | null) {
  const left_out = latest?.left_out ?? null;
  if (left_out === null || !leavesOut(left_out)) return '';
  return html`<h2 id="left-out">Amounts that the totals of the newest snapshot leave out</h2>
    ${leftOutNote(left_out, '')}`;
}

/** A failed night in a sentence, for another page; nothing for a night without a failure. */
export function troubledNight({ night, state, trouble }: OwnNight) {
  if (trouble === null) return '';
  const { cents_off, since } = trouble;
  return html`<p class="note bad" role="alert">
    <strong class="bad">Night of ${shownDay(night)}</strong>:
    ${STATES[state]}${
      cents_off === null ? '' : html`, off by ${offBy(cents_off)}`
    }${since === night ? '' : html`, since the night of ${shownDay(since)}`}.
    <a href="night">What happened, and the command to run next</a>
  </p>`;
}

function troubleOf({ trouble, tries, night }: OwnNight) {
  if (trouble === null) return html`<p><a href="docs/bad-night">What to do about a bad night</a></p>`;
  const { cents_off, since } = trouble;
  const facts = [
    ...(cents_off === null ? [] : [['Off by', offBy(cents_off)] as const]),
    ['Since', since === night ? 'this night' : html`the night of ${shownDay(since)}`],
    ['Tries', shownCount(tries)],
  ] as const;
  return troubleNote(trouble, factList(facts));
}

/** What failed, facts about it, and the command to run next. */
function troubleNote({ code, explanation, next }: FailedBuild['trouble'], facts: Html): Html {
  return html`<p class="note bad" role="alert"><strong class="bad">${code}</strong>: ${explanation}</p>
    ${facts}
    <h2 id="next">Run next</h2>
    ${copyable(next.command, 'The command to run next')}
    <p>
      ${sentence(next.why)} The failed build changed nothing: readers get what was published before;
      <a href="docs/bad-night">what else to look at</a>.
    </p>`;
}

function offBy(cents: number): string {
  return `${shownCount(cents)} ${cents === 1 ? 'cent' : 'cents'} (${shownDollars(BigInt(cents))})`;
}

function earlierTable(nights: readonly OwnNight[]) {
  return pageTable(
    'Nights before',
    ['Night', 'Ended', 'Because'],
    nights.map(
      ({ night, state, trouble }) =>
        html`<tr>
          <th scope="row">${shownDay(night)}</th>
          <td data-column="Ended">${endOf(state)}</td>
          <td data-column="Because">${trouble?.code ?? ''}</td>
        </tr>`,
    ),
  );
}

function endOf(state: OwnNight['state']) {
  const kind = state === 'published' ? 'good' : ['refused', 'failed', 'dead'].includes(state) ? 'bad' : '';
  return html`<strong class="${kind}">${STATES[state]}</strong>`;
}

export const nightPage = definePage({
  path: '/night',
  title: "Tonight's run",
  here: 'night',
  access: 'sign-in',
  query: [],
  says: "Tonight's run: what was built or refused, and the command to run next.",
  body:
    (parts: NightParts & BarParts) =>
    async ({ c }) => {
      const { snapshots, ownNights, nightContext, now } = parts;
      const account_id = accountOf(c);
      const [nights, latest, listed, versions, around] = await Promise.all([
        ownNights(account_id),
        unlessUnread(c, () => snapshots.latest(account_id), null),
        unlessUnread(c, () => snapshots.list(account_id), []),
        unlessUnread(c, () => snapshots.versions(account_id), []),
        nightContext(account_id),
      ]);
      const first_id = versions[0]?.snapshot_id ?? null;
      const bar = await liveBar(parts, c, latest);
      return {
        body: html`${bar} ${nightBody(nights, { account_id, latest, listed, first_id }, around, now())}`,
      };
    },
});

/** The result of a read of snapshots. `nothing` if the store cannot be read now: the page then shows the nights alone. */
async function unlessUnread<Read>(
  c: Context<ServeEnv>,
  read: () => Promise<Read>,
  nothing: Read,
): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (!isCrossfootError(error)) throw error;
    c.var.logger.warn('totals.unread', errorFields(error));
    return nothing;
  }
}
