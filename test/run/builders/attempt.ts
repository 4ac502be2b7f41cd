/** The record of a build, as it stands while it runs. */
import type { Attempt } from '../../../src/run/builders/attempts.ts';
import { instantOf } from '../../support/instant-of.ts';

export function anAttempt(changed: Partial<Attempt>): Attempt {
  return {
    account_id: '1',
    began_at: instantOf('2026-07-15T02:00:00.000000Z'),
    ended_at: null,
    host: 'another machine',
    pid: 7,
    life: null,
    started_by: null,
    tables_at: null,
    audited_at: null,
    step: 'start',
    tables_written: 0,
    tables: [],
    last_table: null,
    outcome: 'running',
    snapshot_id: null,
    left_out: null,
    kept: null,
    failure: null,
    ...changed,
  };
}
