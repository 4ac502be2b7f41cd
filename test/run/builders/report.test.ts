import { expect, it } from 'vitest';
import { buildLine, followBuild } from '../../../src/run/builders/report.ts';
import type { BuildEvent } from '../../../src/snapshot/builder/events.ts';
import { TABLES } from '../../../src/tables/all.ts';

it.each<[Parameters<typeof buildLine>[0], string]>([
  [
    { kind: 'table.written', table: 'costs', rows: 1_234_567, bytes: 98_765_432, ms: 1234 },
    '  costs                        1,234,567 rows    98.765 MB   1.23 s',
  ],
  [
    { kind: 'table.shrunk', table: 'costs', before: 4000, rows: 1000 },
    '  costs had 4,000 rows and now has 1,000: a count in the ledger gives the same number',
  ],
  [
    { kind: 'audit.passed', checks: 26, ms: 300 },
    '  audit                      26 checks passed                0.30 s',
  ],
  [
    { kind: 'audit.refused', kept: 'spool/1/refused' },
    '  the audit refused these figures; the files are kept in spool/1/refused',
  ],
  [{ kind: 'moment.awaited', ms: 400 }, '  waiting 400 ms: the newest snapshot has the id of this second'],
  [
    { kind: 'snapshot.published', snapshot: '20260401T000000Z', seq: 3, ms: 900 },
    '  published 20260401T000000Z as number 3 in 900 ms',
  ],
  [
    { kind: 'snapshot.superseded', snapshot: '20260401T000000Z', seq: 4, ms: 900 },
    '  not published: snapshot number 4 is of the same moment or a later one',
  ],
  [
    { kind: 'snapshot.skipped', snapshot: '20260401T000000Z', seq: 2, ms: 0 },
    '  skipped: its night was published already, as number 2',
  ],
])('the event $kind is one line', (event, line) => {
  expect(buildLine(event)).toBe(line);
});

const written = (table: string): BuildEvent => ({
  kind: 'table.written',
  table,
  rows: 1_000,
  bytes: 2_000_000,
  ms: 100,
});

it('a terminal shows the next table and its rows, then the audit, the publishing, and nothing', () => {
  const steps: unknown[] = [];
  const tell = followBuild({
    print: () => undefined,
    say: () => undefined,
    follow: (...step) => steps.push(step),
  });
  const [first, second] = TABLES.map(({ name }) => name);
  if (first === undefined || second === undefined) throw new Error('there are fourteen tables');
  tell({ kind: 'rows.written', table: first, rows: 16_384 });
  for (const { name } of TABLES) tell(written(name));
  tell({ kind: 'moment.awaited', ms: 1 });
  tell({ kind: 'audit.passed', checks: 1, ms: 1 });
  tell({ kind: 'snapshot.published', snapshot: '20260401T000000Z', seq: 3, ms: 900 });
  expect(steps).toEqual([
    ['  starting the build'],
    [`  ${first} (table 1 of 14)`, { rows: 16_384 }],
    ...TABLES.slice(1).map(({ name }, at) => [`  ${name} (table ${at + 2} of 14)`]),
    ['  control totals and audit'],
    ['  publishing'],
    [null],
  ]);
});

it('a build prints the same on a terminal and elsewhere, and a sum of the tables on a terminal alone', () => {
  const [terminal, elsewhere] = [true, false].map((isTerminal) => {
    const printed: string[] = [];
    const said: string[] = [];
    const tell = followBuild({
      print: (line) => printed.push(line),
      say: (line) => said.push(line),
      ...(isTerminal && { follow: () => undefined }),
    });
    tell({ kind: 'rows.written', table: 'costs', rows: 16_384 });
    for (const { name } of TABLES) tell(written(name));
    return { printed, said };
  });
  expect(elsewhere?.printed).toHaveLength(TABLES.length);
  expect(terminal?.printed).toEqual(elsewhere?.printed);
  expect(elsewhere?.said).toEqual([]);
  // 14 times 1,000 rows, 2 MB and 100 ms.
  expect(terminal?.said).toEqual(['  14 tables                       14,000 rows    28.000 MB   1.40 s']);
});
