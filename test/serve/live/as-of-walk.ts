/** Walks every list, record and figure live and as of a snapshot side by side, and compares the answers. */
import { expect } from 'vitest';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import type { Answer, Ask } from './figures-app.ts';

export const ID = '20260715T020000Z';
export const MOMENT = '2026-07-15T02:00:00.123456Z';
const WINDOWS = [
  'window=all',
  'window=1yr',
  'window=3yr',
  'window=fy2026',
  'window=fy2025-q3',
  'from=2025-02',
  'through=2026-01',
];

/** The path as of a snapshot. */
export const asOf = (path: string, name = ID): string =>
  `${path}${path.includes('?') ? '&' : '?'}snapshot_id=${name}`;

/** The page without what differs: the two fields, and the text of its cursor, which seals the snapshot. */
function common({ body }: Answer): unknown {
  const { snapshot_id: _id, generated_at: _at, page, ...rest } = body;
  const { next_cursor, has_more } = (page ?? {}) as { next_cursor?: string | null; has_more?: boolean };
  return { ...rest, has_more, ends: next_cursor === null };
}

/** The cursor of the next page. */
export function cursorOf({ body }: Answer): string | null {
  return (body['page'] as { next_cursor: string | null }).next_cursor; // of the contract's shape
}

/** Walks a list live and as of the snapshot side by side. Returns its rows. */
async function sameList(over: Ask, path: string, limit: number): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let after: readonly [live: string, frozen: string] | null = null;
  for (;;) {
    const paged = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
    const live: Answer = await over(after === null ? paged : `${paged}&cursor=${after[0]}`);
    const then: Answer = await over(asOf(after === null ? paged : `${paged}&cursor=${after[1]}`));
    expect([path, then.status, common(then)]).toEqual([path, live.status, common(live)]);
    if (live.status !== 200) return rows;
    expect(then.body).toMatchObject({ snapshot_id: ID, generated_at: MOMENT });
    expect(live.body).not.toHaveProperty('snapshot_id');
    rows.push(...(live.body['data'] as Record<string, unknown>[]));
    const next: string | null = cursorOf(live);
    const frozenNext: string | null = cursorOf(then);
    if (next === null || frozenNext === null) return rows;
    after = [next, frozenNext];
  }
}

/** A few values of each filter, taken from the rows of the list. */
function filtersOf(filters: readonly string[], rows: readonly Record<string, unknown>[]): readonly string[] {
  const values = (field: string) => [
    ...new Set(rows.map((row) => row[field]).filter((value) => value !== null)),
  ];
  return filters.flatMap((filter) => {
    if (filter === 'include_sample') return ['include_sample=false'];
    if (filter === 'budgeted') return ['budgeted=true'];
    if (filter === 'period_from')
      return ['period_from=2026-02-01', 'period_from=2025-12-31&period_to=2026-03-15'];
    if (filter === 'period_to') return ['period_to=2026-01-31'];
    const field = filter === 'updated_since' ? 'updated_at' : filter;
    const some = values(field);
    const middle = some[Math.floor(some.length / 2)];
    const chosen = filter === 'updated_since' || filter === 'initiative_id' ? [some[0], middle] : some;
    const given = chosen.filter((value) => value !== undefined);
    return [
      ...new Set(
        given.map((value) => `${filter}=${encodeURIComponent(JSON.stringify(value).replaceAll('"', ''))}`),
      ),
    ];
  });
}

/** Compares all answers; returns how many lists and figures were compared. */
export async function sameEverywhere(over: Ask): Promise<number> {
  let compared = 0;
  for (const { name, filters } of RESOURCES) {
    const rows = await sameList(over, `/${name}`, 500);
    expect([name, rows.length > 0]).toEqual([name, true]);
    await sameList(over, `/${name}`, 7);
    const each = filtersOf(Object.keys(filters), rows);
    compared += each.length;
    for (const filter of each) await sameList(over, `/${name}?${filter}`, 7);
    // Two filters at once: those of another kind beside each other.
    for (const [index, filter] of each.entries()) {
      const other = each[(index + 3) % each.length];
      if (other !== undefined && other.split('=')[0] !== filter.split('=')[0] && !other.includes('&'))
        await sameList(over, `/${name}?${filter}&${other}`.replace(/&period_to=[^&]*(?=.*period_to)/, ''), 5);
    }
  }
  const initiatives = await sameList(over, '/initiatives', 500);
  for (const id of initiatives.map((row) => String(row['id']))) {
    const [live, then] = [await over(`/initiatives/${id}`), await over(asOf(`/initiatives/${id}`))];
    expect(then.body).toEqual({ ...live.body, snapshot_id: ID, generated_at: MOMENT });
  }
  for (const scope of ['', ...initiatives.map((row) => `&initiative_id=${String(row['id'])}`)]) {
    for (const window of WINDOWS) {
      compared += 1;
      const path = `/roi?${window}${scope}`;
      const [live, then] = [await over(path), await over(asOf(path))];
      expect([path, then.body]).toEqual([path, { ...live.body, snapshot_id: ID, generated_at: MOMENT }]);
    }
  }
  return compared;
}

/** Compares /roi as of the snapshot in these objects with rows of its reported_totals; returns how many. */
export async function sameTotals(
  ask: Ask,
  objects: ReadonlyMap<string, Uint8Array>,
  rows = 'true',
): Promise<number> {
  const key = [...objects.keys()].find((name) => name.endsWith('/reported_totals.parquet')) ?? '';
  const totals = await askDuckDb(
    Buffer.from(objects.get(key) ?? []),
    `select 'window=' || window_key || coalesce('&initiative_id=' || initiative_id, '') as query, roi, cash_value_cents::double as cash_value_cents,
      freed_capacity_cents::double as freed_capacity_cents, cost_cents::double as total_cost_cents,
      net_value_cents::double as net_value_cents
    from file where ${rows}`,
  );
  for (const { query, roi, ...amounts } of totals) {
    if (typeof query !== 'string') throw new Error('a window has no key');
    const { body } = await ask(asOf(`/roi?${query}`));
    // The ratio of the table is empty where either side is not above zero.
    expect([query, body]).toMatchObject([query, { ...amounts, ...(roi !== null && { roi }) }]);
  }
  return totals.length;
}
