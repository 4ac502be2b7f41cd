/** The budgets of the company as /budgets serves them, against the page that works them by hand. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedFields, readWorkedBudgets } from '../../fixtures/worked/budgets.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Ask, figuresApp, walk } from './figures-app.ts';

const TODAY = '2026-07-15';
type Row = Record<string, unknown>;

let database: TestDatabase;
let owner: Client;
let ask: Ask;
beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
  ask = figuresApp(database, 1n, TODAY);
});
afterAll(() => database.drop());

const ids = (rows: readonly Row[]): unknown[] => rows.map(({ initiative_id }) => initiative_id);

/** Amounts and ids as JSON has them. */
const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, cell: unknown) => (typeof cell === 'bigint' ? Number(cell) : cell)));

describe('/budgets', () => {
  it('compares every initiative as worked by hand, those without a budget and those scheduled too', async () => {
    const worked = readWorkedBudgets().filter(({ as_of }) => as_of === TODAY);
    const expected = worked.map((budget) => {
      const { in_effect: _, current_version, ...fields } = publishedFields(budget);
      return asJson({ ...fields, current_version });
    });
    const found = (await walk(ask, '/budgets', 500)).map((row) => ({
      ...row,
      current_version: (row['current_version'] as { id: number } | null)?.id ?? null, // of the contract's shape
    }));
    expect(found.toSorted(byInitiative)).toEqual(expected);
    expect(new Set(worked.map(({ status }) => status))).toEqual(
      new Set(['within', 'over', 'scheduled', 'no_budget']),
    );
    expect(new Set(worked.flatMap(({ over_parts }) => over_parts))).toEqual(new Set(['capex', 'opex']));
  });

  it('says of the current version what was recorded, and who set it', async () => {
    const rows = new Map((await walk(ask, '/budgets', 500)).map((row) => [row['initiative_id'], row]));
    expect(rows.get(101)?.['current_version']).toEqual({
      id: 402,
      effective_from: '2025-04-01',
      ends_on: null,
      capex_cents: 3_000_000,
      opex_cents: 150_000,
      opex_cadence: 'quarterly',
      source: 'revision',
      reason: null,
      set_by: { id: 3, name: 'Zoë Brännström' },
    });
    // A budget that has ended, set by no known person; a budget set by a person without a name.
    expect(rows.get(107)?.['current_version']).toMatchObject({ ends_on: '2025-09-30', set_by: null });
    expect(rows.get(103)?.['current_version']).toMatchObject({ set_by: { id: 5, name: null } });
    expect(rows.get(117)?.['current_version']).toBeNull();
  });

  it('shows a sample when samples are asked for', async () => {
    const rows = await walk(ask, '/budgets?include_sample=true', 500);
    expect(ids(rows)).toEqual(expect.arrayContaining([101, 115, 116]));
    // B420 begins in May 2024: 27 months of 1000. C3091 777700 + C3092 58416 in April 2026, a third of it a month.
    expect(rows.find(({ initiative_id }) => initiative_id === 115)).toMatchObject({
      status: 'over',
      over_parts: ['opex'],
      opex_budget_to_date_cents: 27_000,
      budget_to_date_cents: 28_000,
      actual_to_date_cents: 836_116,
      variance_cents: -808_116,
      actual_monthly_run_rate_cents: 278_705,
    });
  });

  it('is of one initiative when one is named, and 404 in the same bytes for each that cannot be seen', async () => {
    expect(ids(await walk(ask, '/budgets?initiative_id=104', 500))).toEqual([104]);
    const refused = await Promise.all(
      // A sample, one of another account, one of none.
      [115, 201, 999_999].map((id) => ask(`/budgets?initiative_id=${id}`)),
    );
    expect(new Set(refused.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(refused[0]?.status).toBe(404);
    expect(ids(await walk(ask, '/budgets?initiative_id=115&include_sample=true', 500))).toEqual([115]);
  });

  it('leaves out initiatives without a budget after the comparison, so that a page may be short or empty', async () => {
    const all = await walk(ask, '/budgets', 500);
    const budgeted = await walk(ask, '/budgets?budgeted=true', 2);
    expect(budgeted).toEqual(all.filter(({ status }) => status !== 'no_budget'));
    const pages: (readonly [rows: number, has_more: boolean])[] = [];
    let cursor = '';
    do {
      const { body } = await ask(`/budgets?budgeted=true&limit=1${cursor}`);
      const { data, page } = body as { data: Row[]; page: { next_cursor: string | null; has_more: boolean } };
      pages.push([data.length, page.has_more]);
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(pages).toHaveLength(all.length);
    expect(pages.some(([rows, has_more]) => rows === 0 && has_more)).toBe(true);
  });

  it('lists initiatives in the order of their changes, for any page size', async () => {
    const { rows } = await owner.query<{ id: bigint }>(
      'select id from ledger.initiatives where account_id = 1 and not is_sample order by updated_at, id',
    );
    const order = rows.map(({ id }) => Number(id));
    expect(ids(await walk(ask, '/budgets', 500))).toEqual(order);
    expect(ids(await walk(ask, '/budgets', 1))).toEqual(order);
  });

  it('takes no updated_since, which the comparison has not', async () => {
    const { status, body } = await ask('/budgets?updated_since=2026-01-01T00:00:00Z');
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('updated_since');
  });

  it('holds back an initiative that changed while another writer is open, until that one ends', async () => {
    const slow = await database.client('cf_owner');
    await slow.query('begin; update ledger.initiatives set title = title where id = 102');
    await owner.query(
      `begin; set local app.account_id = '1'; update ledger.initiatives set title = title || '!' where account_id = 1 and id = 101; commit`,
    );
    expect(ids(await walk(ask, '/budgets', 500))).not.toContain(101);
    await slow.query('rollback');
    expect(ids(await walk(ask, '/budgets', 500)).at(-1)).toBe(101);
  });
});

function byInitiative(a: Row, b: Row): number {
  return Number(a['initiative_id']) - Number(b['initiative_id']);
}
