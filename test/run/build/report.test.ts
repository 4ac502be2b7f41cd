import { expect, it } from 'vitest';
import { buildDoing, buildLine } from '../../../src/run/build/report.ts';
import type { BuildEvent } from '../../../src/snapshot/build/events.ts';
import { TABLES } from '../../../src/tables/all.ts';

it.each<[BuildEvent, string]>([
  [
    { kind: 'table.written', table: 'costs', rows: 1_234_567, bytes: 98_765_432, ms: 1234 },
    '  costs                        1,234,567 rows    98.765 MB   1.23 s',
  ],
  [
    { kind: 'table.shrunk', table: 'costs', before: 4000, rows: 1000 },
    '  costs had 4,000 rows and has 1,000: a recount of the ledger agrees',
  ],
  [
    { kind: 'audit.passed', checks: 26, ms: 300 },
    '  audit                      26 checks passed                0.30 s',
  ],
  [
    { kind: 'audit.refused', kept: 'spool/1/refused' },
    '  the audit refused these figures; the files are kept in spool/1/refused',
  ],
  [{ kind: 'moment.awaited', ms: 400 }, '  waiting 400 ms: the newest snapshot bears this very second'],
  [
    { kind: 'snapshot.published', snapshot: '20260401T000000Z', seq: 3, ms: 900 },
    '  published 20260401T000000Z as number 3 in 0.90 s',
  ],
  [
    { kind: 'snapshot.superseded', snapshot: '20260401T000000Z', seq: 4, ms: 900 },
    '  superseded: number 4 describes the same or a later moment',
  ],
  [
    { kind: 'snapshot.skipped', snapshot: '20260401T000000Z', seq: 2, ms: 0 },
    '  skipped: its night was published already, as number 2',
  ],
])('tells $kind in one line', (event, line) => {
  expect(buildLine(event)).toBe(line);
});

it('says which table is next, then that the audit runs, then that it publishes', () => {
  const doing = TABLES.map(({ name }) =>
    buildDoing({ kind: 'table.written', table: name, rows: 1, bytes: 1, ms: 1 }),
  );
  expect(doing).toEqual([
    ...TABLES.slice(1).map(({ name }, at) => `  ${name} … (table ${at + 2} of ${TABLES.length})`),
    '  control totals and audit …',
  ]);
  expect(buildDoing({ kind: 'audit.passed', checks: 1, ms: 1 })).toBe('  publishing …');
  expect(buildDoing({ kind: 'moment.awaited', ms: 1 })).toBeNull();
});
