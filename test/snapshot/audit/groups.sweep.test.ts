/** Control totals are held group by group: a group that is missing whole, or that the ledger never had, is refused. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { company } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';
import { groups } from './audited-sums.ts';

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Each control check with the table it reads and the columns it groups by. */
const GROUPED: readonly (readonly [check: string, table: string, by: readonly string[]])[] = [
  ['30-check-control-costs', 'costs', ['currency']],
  ['31-check-control-value', 'reported_value', ['currency', 'entry_type']],
  ['32-check-control-initiatives', 'initiatives', ['currency']],
  ['33-check-control-decisions', 'approval_decisions', ['subject_kind', 'decision']],
  ['33-check-control-decisions', 'portfolio_decisions', ['outcome', 'currency']],
  ['34-check-control-budgets', 'budgets', ['status', 'currency']],
  ['35-check-control-readings', 'metric_readings', ['role', 'source_type']],
  ['36-check-control-documents', 'value_supporting_documents', []],
  ['37-check-control-periods', 'accounting_periods', ['month']],
  ['38-check-control-ai-spend', 'ai_spend', ['month', 'source_kind']],
];

/** The company without the rows of one group. */
function without(table: string, gone: readonly unknown[]) {
  const rows = company();
  rows[table] = rows[table]?.filter((row) => !gone.some((each) => equal(each, row))) ?? [];
  return rows;
}

const equal = (a: unknown, b: unknown): boolean => text(a) === text(b);
const text = (value: unknown): string =>
  JSON.stringify(value, (_, cell: unknown) => (typeof cell === 'bigint' ? `${cell}n` : cell));

it.each(GROUPED)(
  '%s refuses %s without the rows of a whole group, whichever it is',
  async (check, table, by) => {
    const all = company();
    const found = groups(all[table], by);
    expect(found.length).toBeGreaterThan(by.length > 0 ? 1 : 0);
    for (const { rows } of found) {
      const report = await bench.audit(without(table, rows), { control: controlOf(all), only: [check] });
      expect(refusals(report)).toEqual([check]);
    }
  },
);

it.each(GROUPED)('%s refuses rows of %s in a group that the ledger has not', async (check, table, by) => {
  for (const { rows } of groups(company()[table], by)) {
    // The bills behind ai_spend are stated together: all of them, or none.
    const control = controlOf(table === 'ai_spend' ? { ...company(), ai_spend: [] } : without(table, rows));
    const report = await bench.audit(company(), { control, only: [check] });
    expect(refusals(report)).toEqual([check]);
  }
});
