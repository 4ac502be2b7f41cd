/**
 * Pages of cost or value entries in the order of their last change, filtered by the first day of their period. A page
 * has at most `page.rows` rows. For the next page, the caller passes the last row as `page.after`.
 */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { call, readRows } from '../../database/query.ts';
import type { Database } from '../../database/schema.ts';
import {
  allOf,
  type Condition,
  type PageQuestion,
  type Position,
  placeConditions,
  readPage,
  type RelationWith,
  when,
} from './keyset.ts';

/** The filters of lists of entries. */
export interface EntryFilters {
  readonly initiative_id?: bigint | undefined;
  /** First and last day on which the entry's period may begin; an entry without a period matches neither. */
  readonly period_from?: string | undefined;
  readonly period_to?: string | undefined;
  readonly include_sample: boolean;
}

/** The columns that conditions on entries use. */
interface Entry extends Position {
  readonly account_id: bigint;
  readonly initiative_id: bigint;
  readonly period_start: string | null;
}

type EntryView = RelationWith<Entry & { is_sample: boolean }>;
type EntryTable = RelationWith<Entry>;

/** Where entries are read: a query of the served view, the ledger table below it, and that table's month column. */
type EntrySource<View extends EntryView, Row> = {
  readonly query: SelectQueryBuilder<Database, View, Row>;
} & { [Table in EntryTable]: { readonly table: Table; readonly month: keyof Database[Table] } }[EntryTable];

/**
 * Reads a page of entries by the index that fits the filters. `narrowed`: true if `source.query` already filters by an
 * indexed column, such as status.
 */
export async function readEntries<View extends EntryView, Row extends Position>(
  client: ClientBase,
  source: EntrySource<View, Row>,
  page: PageQuestion,
  filters: EntryFilters,
  narrowed = false,
): Promise<readonly Row[]> {
  const { initiative_id, period_from, period_to, include_sample } = filters;
  const days = [
    ...when(period_from, (from): Condition => sql`period_start >= ${from}`),
    ...when(period_to, (to): Condition => sql`period_start <= ${to}`),
  ];
  // The indexes on initiative and status are sorted by last change. With either filter, scan that index and check the
  // days of each row.
  if (days.length > 0 && initiative_id === undefined && !narrowed)
    return await readMonths(client, source, page, filters, days);
  return await readPage(client, source.query, page, [
    ...when(initiative_id, (id): Condition => sql`initiative_id = ${id}`),
    ...days,
    ...(include_sample ? [] : [sql<boolean>`not is_sample`]),
  ]);
}

/**
 * Reads entries of a range of days, always oldest change first: `page.first` is ignored. A scan in the order of
 * changes could read nearly all entries. Instead, take the first rows of each month in that order. Merge them and keep
 * one page. A month costs at most one page of rows.
 */
async function readMonths<View extends EntryView, Row extends Position>(
  client: ClientBase,
  { query, table, month }: EntrySource<View, Row>,
  page: PageQuestion,
  { period_from, period_to, include_sample }: EntryFilters,
  days: readonly Condition[],
): Promise<readonly Row[]> {
  const { account_id } = page;
  const wanted = allOf([
    ...placeConditions(page),
    ...days,
    sql`period_start is not null`,
    ...(include_sample ? [] : [NOT_SAMPLE]),
  ]);
  // Limit the range to months that have entries. Without a limit, a range without a first or last day would produce a
  // row for every month of centuries.
  const monthBound = (end: 'min' | 'max') =>
    sql`(select ${sql.raw(end)}(${sql.ref(month)}) from ${sql.table(table)}
      where account_id = ${account_id} and period_start is not null)`;
  // Use an array: PostgreSQL keeps the join order of a large view and would join a subselect last.
  const ids = sql`array(
    select first.id
    from generate_series(
      greatest(${call('service.month_of', period_from ?? null)}, ${monthBound('min')})::timestamp,
      least(${call('service.month_of', period_to ?? null)}, ${monthBound('max')})::timestamp,
      interval '1 month') as month
    cross join lateral (
      select id, updated_at from ${sql.table(table)} e
      where ${sql.ref(month)} = month::date and ${wanted} order by updated_at, id limit ${page.rows}
    ) as first
    order by first.updated_at, first.id limit ${page.rows})`;
  return await readRows(
    client,
    query.where(sql<boolean>`account_id = ${account_id} and id = any (${ids})`).orderBy(sql`updated_at, id`),
  );
}

const NOT_SAMPLE: Condition = sql`not exists (
  select from ledger.initiatives i where i.account_id = e.account_id and i.id = e.initiative_id and i.is_sample)`;
