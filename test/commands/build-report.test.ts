import { expect, it } from 'vitest';
import { buildLine } from '../../src/commands/build-report.ts';
import type { BuildEvent } from '../../src/snapshot/build-events.ts';

it.each<[BuildEvent, string]>([
  [
    { kind: 'table.written', table: 'costs', rows: 1_234_567, bytes: 98_765_432, ms: 1234 },
    '  costs                        1,234,567 rows  98,765,432 bytes    1234 ms',
  ],
  [
    { kind: 'table.shrunk', table: 'costs', before: 4000, rows: 1000 },
    '  costs had 4,000 rows and has 1,000: a recount of the ledger agrees',
  ],
  [
    { kind: 'audit.passed', checks: 26, ms: 300 },
    '  audit                      26 checks passed                     300 ms',
  ],
  [
    { kind: 'audit.refused', kept: 'spool/1/refused' },
    '  the audit refused these figures; the files are kept in spool/1/refused',
  ],
  [{ kind: 'moment.awaited', ms: 400 }, '  waiting 400 ms: the newest snapshot bears this very second'],
  [
    { kind: 'snapshot.published', snapshot: '20260401T000000Z', seq: 3, ms: 900 },
    '  published 20260401T000000Z as number 3 in 900 ms',
  ],
  [
    { kind: 'snapshot.superseded', snapshot: '20260401T000000Z', seq: 4, ms: 900 },
    '  superseded: number 4 describes the same or a later moment',
  ],
])('tells $kind in one line', (event, line) => {
  expect(buildLine(event)).toBe(line);
});
