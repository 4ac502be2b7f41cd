/** The changes between two snapshots of an account, page by page. */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Diffs } from '../../diff/diff-cache.ts';
import { REASON_NAMES, REASONS } from '../../diff/reasons.ts';
import { isSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import { TABLES } from '../../tables/all.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { answerJson } from '../http/json-answer.ts';
import type { Cursors } from '../contract/cursor.ts';
import { cursor, limit, oneOf } from '../contract/queries.ts';
import { arrayOf, component, day, integer, oneOfThese, page, text } from '../contract/shapes.ts';
import { NO_SNAPSHOT, type ReportingParts, requireSnapshot } from './chosen-snapshot.ts';

export interface DiffParts extends ReportingParts {
  readonly diffs: Diffs;
  readonly cursors: Cursors;
}

const PATH = '/reporting/diff/{from}/{to}';
// Snapshots do not change, but each may expire or be retracted: a cached answer must be revalidated.
const CACHE = { 'cache-control': 'private, no-cache' } as const;

const TABLE_NAMES = TABLES.map(({ name }) => name);

// Text and not an enum: within v1 of the API, a new reason could not be added to an enum.
const reason = z.string().meta({
  id: 'DiffReason',
  examples: [...REASON_NAMES],
  description: `Why the row changed: the first applicable reason, in this order. ${REASON_NAMES.map(
    (name) => `\`${name}\`: ${REASONS[name]}`,
  ).join(' ')}`,
});

const cents = (what: string) => integer(`${what}, in US cents.`);
const rows = (what: string) => integer(`How many rows ${what}.`);
const cells = (description: string) => z.looseObject({}).meta({ description });

const effect = component('DiffEffect', 'The effect of a changed entry on a month of an initiative.', {
  initiative_id: integer('The initiative whose figures the entry changed.'),
  month: day('The first day of the month of the entry; null for an undated entry.').nullable(),
  cash_value_cents: cents('The effect on cash value'),
  freed_capacity_cents: cents('The effect on freed capacity, counted after the entries with earlier reasons'),
  capex_cents: cents('The effect on one-time cost'),
  opex_cents: cents('The effect on running cost'),
  vendor_price_effect_cents: cents('The effect on the vendor price effect'),
});

const part = component('DiffPart', 'The effect of one reason on a total.', {
  reason,
  cents: cents('The effect of the changes with this reason'),
  entries: integer('The number of entries with this reason; 0 for a reason that is not about entries.'),
});

const move = component('DiffMove', 'A figure of a window that moved, and why.', {
  figure: text('The column of the total.'),
  before_cents: cents('The figure of `from`; 0 where it has none'),
  after_cents: cents('The figure of `to`; 0 where it has none'),
  because: arrayOf(part, 'The parts of the move, in the order of reasons; their sum is the move exactly.'),
});

const change = component(
  'DiffChange',
  'A row that changed; `reason` is null except for costs and reported value.',
  {
    table: text('The table of the row.'),
    change: oneOfThese(['added', 'removed', 'changed'], 'How the row changed from `from` to `to`.'),
    key: cells('The key columns of the row.'),
    reason: reason.nullable(),
    before: cells(
      'The columns of the row in `from`; of a changed row those that differ. Null for an added row.',
    ).nullable(),
    after: cells(
      'The columns of the row in `to`; of a changed row those that differ. Null for a removed row.',
    ).nullable(),
    effects: arrayOf(
      effect,
      'The effects of a changed cost or value entry, by initiative and month; else empty.',
    ),
    moved: arrayOf(move, 'The figures that moved in a row of `reported_totals`; empty for other tables.'),
  },
);

const counted = component('DiffTable', 'How many rows of a table changed.', {
  name: text('The table.'),
  added: rows('only `to` has'),
  removed: rows('only `from` has'),
  changed: rows('differ'),
});

const snapshotDiff = component('SnapshotDiff', 'One page of what changed between two snapshots.', {
  from: text('The first snapshot of the comparison.'),
  to: text('The second snapshot of the comparison.'),
  tables: arrayOf(counted, 'Every table that both snapshots have, in published order.'),
  data: arrayOf(change, 'Changed rows by table in published order, then by key.'),
  page,
});

const table = oneOf(TABLE_NAMES, 'Only rows of that table.');

/** One page of the comparison. */
export const diff = defineRoute(
  {
    path: PATH,
    operationId: 'get_diff',
    summary: 'What changed between two snapshots, row by row, and why each total moved.',
    tags: ['Reporting'],
    request: {
      params: z.object({
        from: snapshot('The first snapshot of the comparison.'),
        to: snapshot('The second snapshot of the comparison.'),
      }),
      query: z.strictObject({ table, limit, cursor }),
    },
    responses: {
      200: {
        description:
          'Rows and totals that changed. If `from` is the newer snapshot, amounts have the opposite sign.',
        headers: z.object({
          'content-location': text(
            'The address of this comparison with both snapshots by id: request further pages there, because `latest` and a pin may become a newer snapshot. Absent if the request names both by id.',
          ).optional(),
        }),
        content: { 'application/json': { schema: snapshotDiff } },
      },
      404: notFound(
        'One of them is not a snapshot of this account, or has expired; also if reporting is switched off.',
        NO_SNAPSHOT,
      ),
    },
  },
  (parts: DiffParts) => async (c) => {
    const { cursor: sealed, limit: most, table: only } = c.req.valid('query');
    const asked = c.req.valid('param');
    const [from, to] = [
      await requireSnapshot(parts, c, asked.from),
      await requireSnapshot(parts, c, asked.to),
    ];
    const { account_id } = c.var.principal;
    const bound = {
      account_id,
      route: `${PATH} ${from.snapshot_id} ${to.snapshot_id}`,
      filters: { table: only },
    };
    // A cursor holds a change time and an id; here the id is the index in the list.
    const first = sealed === undefined ? 0 : Number(parts.cursors.open(bound, sealed).id);
    const answer = await parts.diffs.use(account_id, from, to, async (comparison) => {
      const { changes, next } = await comparison.page(first, most, only);
      const next_cursor =
        next === null ? null : parts.cursors.seal(bound, { updated_at: 0n, id: BigInt(next) });
      return {
        from: from.snapshot_id,
        to: to.snapshot_id,
        tables: [...comparison.tables],
        data: [...changes],
        page: { next_cursor, has_more: next !== null },
      };
    });
    return answerJson(c, answer, { ...CACHE, ...location(parts, c, answer) });
  },
);

/** The header with the address of this comparison by both ids; empty if the request names both snapshots by id. */
function location(
  { baseUrl }: DiffParts,
  c: Context<ServeEnv>,
  ids: Readonly<Record<'from' | 'to', string>>,
): Record<string, string> {
  if (Object.values(c.req.param()).every(isSnapshotId)) return {};
  const path = `${new URL(baseUrl()).pathname}/reporting/diff/${ids.from}/${ids.to}`;
  return { 'content-location': path + new URL(c.req.url).search };
}

function snapshot(description: string) {
  return text(
    `${description} Its id, \`latest\`, or the name of a pin. Either may be the older one.`,
  ).openapi({
    param: { example: '20261120T020000Z' },
  });
}
