/** The points that callers have spent of their rate limits, added up over all servers in `ops.rate_limits`. */
import type { Pool } from 'pg';
import { readStatement } from '../database/columns.ts';

/** The points that one caller spent in one window of time. */
export interface Spent {
  readonly window_number: number;
  readonly subject: string;
  readonly points: number;
}

/** Adds points; returns the new totals of all servers. */
export async function addPoints(service: Pool, spent: readonly Spent[]): Promise<readonly Spent[]> {
  const values = [
    spent.map(({ window_number }) => window_number),
    spent.map(({ subject }) => subject),
    spent.map(({ points }) => points),
  ];
  const rows = await readStatement(service, { name: 'ops.rate_limits', text: ADD, values, columns: COLUMNS });
  return rows.map((row) => ({
    ...row,
    window_number: Number(row.window_number),
    points: Number(row.points),
  }));
}

const COLUMNS = { window_number: 'int8', subject: 'text', points: 'int8' } as const;

// Insert in the order of the key, so that two servers that add to the same rows cannot deadlock.
const ADD = `
  insert into ops.rate_limits (window_number, subject, points)
  select window_number, subject, points
  from unnest($1::bigint[], $2::text[], $3::bigint[]) as spent (window_number, subject, points)
  order by window_number, subject
  on conflict (window_number, subject) do update set points = rate_limits.points + excluded.points
  returning window_number, subject, points`;

/** Deletes the points of all windows before this one. */
export async function forgetPoints(service: Pool, window_number: number): Promise<void> {
  await service.query(FORGET, [window_number]);
}

// `skip locked` skips the rows that another server is deleting.
const FORGET = `
  delete from ops.rate_limits
  where (window_number, subject) in (
    select window_number, subject from ops.rate_limits where window_number < $1 for update skip locked)`;
