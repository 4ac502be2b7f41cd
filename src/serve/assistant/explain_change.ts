import { z } from '@hono/zod-openapi';
import type { Change } from '../../diff/change.ts';
import { changesOf, type SnapshotDiff } from '../../diff/diff-cache.ts';
import { readMovedTotals } from '../../diff/moved-totals.ts';
import { REASONS } from '../../diff/reasons.ts';
import { CrossfootError } from '../../errors.ts';
import { noSuchRecord } from '../../ledger/lists/require-initiative.ts';
import { countedDays, parseWindow, type WindowRequest } from '../../figures/requested-window.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { formatInstant } from '../../time.ts';
import { integer, oneOfThese, text, timestamp } from '../contract/shapes.ts';
import { comparisonPatience, movedFigures } from '../live/moved-figures.ts';
import { fiscalMoment, snapshotFiles } from '../live/snapshot-files.ts';
import { initiativePages } from '../live/snapshot-initiatives.ts';
import { money } from './amounts.ts';
import { initiative_id } from './inputs.ts';
import { isDamaged, namedSnapshot, readableSnapshots } from './named-snapshot.ts';
import { has_more } from './recent-page.ts';
import { defineTool } from './tool.ts';
import { asKey, periodWords } from './window-inputs.ts';

const ROWS = 20;
/** The tables whose rows a total adds up. */
const ENTRIES = ['costs', 'reported_value'] as const;

const side = z.strictObject({
  snapshot_id: text('The snapshot.'),
  generated_at: timestamp('Its moment.'),
});

const output = z.strictObject({
  from: side,
  to: side,
  window: text('The window.'),
  initiative_id: integer('The initiative; null for the portfolio.').nullable(),
  compared: z.boolean().meta({
    description: 'False: still comparing; ask again for reasons and entries.',
  }),
  moved: z
    .array(
      z.strictObject({
        figure: text('The column of reported_totals.'),
        before_cents: integer('The figure of `from`.'),
        after_cents: integer('The figure of `to`.'),
        change_cents: integer('After less before.'),
        because: z.array(
          z.strictObject({
            reason: text('The reason.'),
            meaning: text('The reason in words.'),
            cents: integer('Its part of the change.'),
            entries: integer('Entries with it.'),
          }),
        ),
      }),
    )
    .meta({ description: 'The totals that moved; `because` adds up to the change.' }),
  entries: z
    .array(
      z.strictObject({
        table: oneOfThese(ENTRIES, 'Its table.'),
        id: integer('The cost or value entry.'),
        initiative_id: integer('Its initiative.'),
        change: oneOfThese(['added', 'removed', 'changed'], 'How it changed.'),
        reason: text('Why.').nullable(),
        cash_value_cents: integer('Its effect on cash value.'),
        freed_capacity_cents: integer('Its effect on freed capacity.'),
        cost_cents: integer('Its effect on cost.'),
        app_url: text('Its page, else its initiative; null if none.').nullable(),
      }),
    )
    .meta({ description: `One page of the entries behind it, at most ${ROWS}.` }),
  has_more,
  changes_url: text('Every changed row in the API.'),
});

type Output = z.output<typeof output>;
type Entry = Output['entries'][number];
const NO_ENTRIES: Pick<Output, 'entries' | 'has_more'> = { entries: [], has_more: false };

/** The totals that moved between two snapshots, from the comparison of `/reporting/diff`. */
export const explain_change = defineTool({
  name: 'explain_change',
  title: 'Why a total moved',
  description:
    "Use this for why a total is not yesterday's, or what moved between two snapshots. " +
    'Gives each figure before and after, reasons in cents that add up to the change, and their entries. ' +
    'Compares the two newest snapshots unless from_snapshot or to_snapshot name others; it sees no changes since the newest.',
  input: z.strictObject({
    from_snapshot: z.string().max(200).optional().meta({
      description:
        'An id of list_snapshots, latest, or the name of a pin; the one before to_snapshot if omitted.',
    }),
    to_snapshot: z
      .string()
      .max(200)
      .default('latest')
      .meta({ description: 'The same; the newest if omitted.' }),
    initiative_id: initiative_id.optional().meta({ description: 'One initiative; else the portfolio.' }),
    window: z.string().max(40).default('all').meta({
      description: 'all, a fiscal year (fy2026) or a fiscal quarter (fy2026-q3).',
    }),
    page: z.int().min(1).max(1_000).default(1).meta({ description: 'The page of entries.' }),
  }),
  output,
  async answer(parts, { from_snapshot, to_snapshot, page, ...asked }, caller) {
    const window = asKey(asked.window);
    const { account_id } = caller;
    const listed = await readableSnapshots(parts.snapshots, caller);
    const named = (name: string) => namedSnapshot(parts.snapshots, caller, name);
    const to = await named(to_snapshot);
    const from = from_snapshot === undefined ? snapshotBefore(listed, to) : await named(from_snapshot);
    // The fiscal year is that of the later snapshot: its totals have the windows by these keys.
    const filesOf = (snapshot: ReadableSnapshot) => snapshotFiles(parts.snapshots, account_id, snapshot);
    const [earlier, later] = [filesOf(from), filesOf(to)];
    const moment = await fiscalMoment(later);
    const request = requireReportedWindow(window, moment);
    const initiative = asked.initiative_id ?? null;
    const id = initiative === null ? null : BigInt(initiative);
    const scope = {
      initiative,
      days: countedDays(request, moment),
      pages: await initiativePages([earlier, later]),
    };
    // An initiative that neither snapshot has did not stand still: there is none.
    if (initiative !== null && !scope.pages.has(initiative)) throw noSuchRecord();
    const comparing = parts.diffs.use(account_id, from, to, async (diff) => ({
      compared: true,
      moved: (await findTotal(diff, id, window))?.moved.map(movedOf) ?? [],
      ...(await pageOfEntries(diff, scope, page)),
    }));
    const known = await Promise.race([
      comparing,
      (parts.comparedWithin ?? comparisonPatience)().then(() => null),
    ]);
    // No call waits any longer. If the comparison fails, the next call compares anew and says why.
    comparing.catch(() => undefined);
    return {
      from: sideOf(from),
      to: sideOf(to),
      window,
      initiative_id: initiative,
      ...(known ?? {
        compared: false,
        moved: (await movedFigures([earlier, later], id, window)).map(movedOf),
        ...NO_ENTRIES,
      }),
      changes_url: `${parts.baseUrl()}/reporting/diff/${from.snapshot_id}/${to.snapshot_id}`,
    };
  },
  tell({ from, to, window, initiative_id: of, compared, moved, entries, has_more: more, changes_url }) {
    const scope = of === null ? 'the whole portfolio' : `initiative ${of}`;
    return [
      `Totals of ${scope}, window ${window}, from snapshot ${from.snapshot_id} (${from.generated_at}) to ${to.snapshot_id} (${to.generated_at}).`,
      ...(moved.length === 0 ? ['No figure of this window moved.'] : moved.flatMap(tellMove)),
      ...(compared
        ? []
        : ['The snapshots are still being compared. Ask again for the reasons and the entries.']),
      ...entries.map(tellEntry),
      ...(more ? ['There are more entries; ask for the next page.'] : []),
      `Every changed row: ${changes_url}`,
    ].join('\n');
  },
});

/** A window that the tables have a row for. */
function requireReportedWindow(window: string, moment: FiscalMoment): WindowRequest {
  const request = parseWindow(window);
  if (request !== null && (request.kind === 'fiscal' || window === 'all')) return request;
  throw new CrossfootError(
    'parameter_refused',
    `window must be all, a fiscal year such as fy2026, or a fiscal quarter such as fy2026-q3. ${periodWords(moment)}`,
  );
}

function snapshotBefore(listed: readonly ReadableSnapshot[], to: ReadableSnapshot): ReadableSnapshot {
  const before = listed.find((each) => each.snapshot_id < to.snapshot_id && !isDamaged(each));
  if (before !== undefined) return before;
  throw new CrossfootError(
    'not_found',
    'No earlier snapshot is kept to compare this one with; list_snapshots shows those that are.',
  );
}

function sideOf({ snapshot_id, generated_at }: ReadableSnapshot): Output['from'] {
  return { snapshot_id, generated_at: formatInstant(generated_at) };
}

/** The changed row of reported_totals; undefined if the row did not change. */
async function findTotal(diff: SnapshotDiff, id: bigint | null, window: string): Promise<Change | undefined> {
  const moved = await readMovedTotals(diff, id);
  return moved.find(({ key: { window_key } }) => window_key === window);
}

function movedOf({ figure, before_cents, after_cents, because }: Change['moved'][number]) {
  return {
    figure,
    before_cents,
    after_cents,
    change_cents: after_cents - before_cents,
    because: because.map(({ reason, cents, entries }) => ({
      reason,
      meaning: REASONS[reason],
      cents,
      entries,
    })),
  };
}

interface Scope {
  readonly initiative: number | null;
  readonly days: ReturnType<typeof countedDays>;
  /**
   * The pages of initiatives, for a changed entry without `app_url`: a changed row has only the columns that differ.
   */
  readonly pages: ReadonlyMap<number, string>;
}

async function pageOfEntries(
  diff: SnapshotDiff,
  scope: Scope,
  page: number,
): Promise<Pick<Output, 'entries' | 'has_more'>> {
  const entries: Entry[] = [];
  const skipped = (page - 1) * ROWS;
  let found = 0;
  for (const table of ENTRIES) {
    for await (const change of changesOf(diff, table)) {
      for (const entry of entriesOf(change, table, scope)) {
        found += 1;
        if (found > skipped + ROWS) return { entries, has_more: true };
        if (found > skipped) entries.push(entry);
      }
    }
  }
  return { entries, has_more: false };
}

/** What a changed row did to the figures of each initiative in scope; empty if it moved no figure. */
function entriesOf(
  change: Change,
  table: (typeof ENTRIES)[number],
  { initiative, days, pages }: Scope,
): Entry[] {
  const inScope = change.effects
    .filter(({ initiative_id: id }) => initiative === null || id === initiative)
    .filter(({ month }) => days === null || (month !== null && month >= days.from && month <= days.through));
  return [...Map.groupBy(inScope, ({ initiative_id: id }) => id)]
    .map(([id, effects]) => ({
      table,
      id: Number(change.key[table === 'costs' ? 'cost_entry_id' : 'value_entry_id']),
      initiative_id: id,
      change: change.change,
      reason: change.reason,
      cash_value_cents: sumOf(effects.map((effect) => effect.cash_value_cents)),
      freed_capacity_cents: sumOf(effects.map((effect) => effect.freed_capacity_cents)),
      cost_cents: sumOf(effects.map((effect) => effect.capex_cents + effect.opex_cents)),
      app_url: pageOf(change) ?? pages.get(id) ?? null,
    }))
    .filter((entry) => [entry.cash_value_cents, entry.freed_capacity_cents, entry.cost_cents].some(Boolean));
}

function pageOf({ before, after }: Change): string | null {
  const { app_url } = { ...before, ...after };
  return typeof app_url === 'string' ? app_url : null;
}

function sumOf(cents: readonly number[]): number {
  return cents.reduce((sum, each) => sum + each, 0);
}

function tellMove({
  figure,
  before_cents,
  after_cents,
  change_cents,
  because,
}: Output['moved'][number]): string[] {
  const name = figure.replace(/_cents$/, '').replaceAll('_', ' ');
  return [
    `${name}: ${money(before_cents, 'USD')} became ${money(after_cents, 'USD')}, a change of ${money(change_cents, 'USD')}:`,
    ...because.map(
      ({ reason, meaning, cents, entries }) =>
        `- ${money(cents, 'USD')} by ${entries} ${entries === 1 ? 'entry' : 'entries'}, ${reason}: ${meaning}`,
    ),
  ];
}

function tellEntry(entry: Entry): string {
  return (
    `${entry.table} ${entry.id} of initiative ${entry.initiative_id}, ${entry.change}${reasonWords(entry.reason)}: ` +
    `cash value ${money(entry.cash_value_cents, 'USD')}, freed capacity ${money(entry.freed_capacity_cents, 'USD')}, ` +
    `cost ${money(entry.cost_cents, 'USD')}, ${entry.app_url ?? 'no page'}`
  );
}

function reasonWords(reason: string | null): string {
  return reason === null ? '' : ` (${reason})`;
}
