/** Pages of entries, cost or value, in the order of their last change, narrowed to days in which their periods begin. */
import type { ClientBase } from 'pg';
import {
  allOf,
  type Condition,
  type PageQuestion,
  type Place,
  placeConditions,
  readPage,
  readRows,
  type Source,
  when,
} from './keyset.ts';

/** What lists of entries may be narrowed to. */
export interface EntryFilters {
  readonly initiative_id?: bigint | undefined;
  readonly status?: string | undefined;
  /** First and last day on which the entry's period may begin; an entry without a period matches neither. */
  readonly period_from?: string | undefined;
  readonly period_to?: string | undefined;
  readonly include_sample: boolean;
}

/** Where entries are kept: the view that is served, its table, and the column there that holds their month. */
export interface EntrySource extends Source {
  readonly table: string;
  readonly month: string;
}

/** Reads a page of entries by the index that fits the filters. */
export async function readEntries<Row extends Place>(
  client: ClientBase,
  source: EntrySource,
  page: PageQuestion,
  filters: EntryFilters,
): Promise<readonly Row[]> {
  const { initiative_id, status, period_from, period_to, include_sample } = filters;
  const narrow = [...when(initiative_id, 'initiative_id = ?'), ...when(status, 'status = ?')];
  const days = [...when(period_from, 'period_start >= ?'), ...when(period_to, 'period_start <= ?')];
  // An initiative or a status has an index in the order of changes, in which the days are looked at in passing.
  if (days.length > 0 && narrow.length === 0)
    return await readMonths<Row>(client, source, page, filters, days);
  const samples = include_sample ? [] : [{ sql: 'not is_sample' }];
  return await readPage<Row>(client, source, page, [...narrow, ...days, ...samples]);
}

/**
 * Entries of a range of days. In the order of changes they may be anywhere, the newest month at the very end; by their
 * days they are in another order. So each month gives its first rows in the order of changes, and the page is the first
 * of these: a month costs a page at most, however many entries there are.
 */
async function readMonths<Row extends Place>(
  client: ClientBase,
  { view, columns, table, month }: EntrySource,
  page: PageQuestion,
  { period_from, period_to, include_sample }: EntryFilters,
  days: readonly Condition[],
): Promise<readonly Row[]> {
  const notSample = `not exists (
    select from ledger.initiatives i where i.account_id = e.account_id and i.id = e.initiative_id and i.is_sample)`;
  const wanted = allOf([
    ...placeConditions(page),
    ...days,
    { sql: 'period_start is not null' },
    ...(include_sample ? [] : [{ sql: notSample }]),
  ]);
  // No further than there are entries, or a range without an end would be one of centuries.
  const held = (end: 'min' | 'max'): string =>
    `(select ${end}(${month}) from ${table} where account_id = ? and period_start is not null)`;
  // As an array, because a view of many joins is planned in the order of its text: a subselect would be joined last.
  const sql = `
    select ${columns} from ${view}
    where account_id = ? and id = any (array(
      select first.id
      from generate_series(
        greatest(service.month_of(?), ${held('min')})::timestamp,
        least(service.month_of(?), ${held('max')})::timestamp, interval '1 month') as month
      cross join lateral (
        select id, updated_at from ${table} e
        where ${month} = month::date and ${wanted.sql} order by updated_at, id limit ?
      ) as first
      order by first.updated_at, first.id limit ?))
    order by updated_at, id`;
  const { account_id, rows } = page;
  const range = [period_from ?? null, account_id, period_to ?? null, account_id];
  return await readRows<Row>(client, {
    sql,
    values: [account_id, ...range, ...(wanted.values ?? []), rows, rows],
  });
}
