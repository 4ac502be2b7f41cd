/** The audit as a whole: what passes, what a refusal says, and what no check can do. */
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { refuse } from '../../../src/snapshot/audit/report.ts';
import { auditScript } from '../../../src/snapshot/audit/script.ts';
import { company, type Company, row, SNAPSHOT } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, readChecks, refusals } from './audited-files.ts';
import type { MutableRow } from './audited-rows.ts';
import { besideFiles } from '../../support/beside-files.ts';
import { itInSweeps } from '../../support/sweeps.ts';

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe('a snapshot that is right', () => {
  it('passes every check, with both sides of every window', async () => {
    const report = await bench.audit(company());
    expect(report.checks.filter((check) => !check.passed)).toEqual([]);
    expect(report.passed).toBe(true);
    const files = await readChecks();
    expect(report.checks.map((check) => check.name)).toEqual([
      '00-bytes',
      ...files.map(({ name }) => name).filter((name) => /^\d\d-check-|^05/.test(name)),
    ]);
    // Every check says which tables it reads.
    expect(report.checks.filter(({ rows_examined }) => rows_examined === null)).toEqual([]);
    // The portfolio's nine windows, and for each of them its initiatives together.
    expect(report.windows).toHaveLength(18);
    expect(report.windows).toContainEqual({
      place: 'fy2026-q1',
      expected: '128000 3000 50000 78000 1.56 0 50000 20000',
      found: '128000 3000 50000 78000 1.56 0 50000 20000',
    });
  });

  it('states of initiatives how many have a window and what they add up to, however many they are', async () => {
    const { windows } = await bench.audit(company());
    const year = windows.find(({ place }) => place === 'initiatives fy2027');
    // Initiative 1 has nothing there, initiative 2 has cash of 1,086; a digest of both comes last.
    expect(year?.found).toMatch(/^2 1086 0 0 1086 \d+$/);
    expect(year?.expected).toBe(year?.found);
  });

  itInSweeps('gives the same report again', async () => {
    expect(await bench.audit(company())).toEqual(await bench.audit(company()));
  });

  it('passes without a single row', async () => {
    const empty: Company = Object.fromEntries(
      Object.entries(company()).map(([table, rows]) => [table, table === 'snapshot' ? rows : []]),
    );
    const all = company()['reported_totals']?.find(
      (each) => each['window_key'] === 'all' && each['scope'] === 'portfolio',
    );
    empty['reported_totals'] = [{ ...zeroed(all ?? {}), roi: null, vendor_price_effect_cents: null }];
    const snapshot = { ...SNAPSHOT, left_out: { cost: [], value: [] } };
    const report = await bench.audit(empty, { job: { snapshot } });
    expect(report.checks.filter((check) => !check.passed)).toEqual([]);
  });
});

function zeroed(given: MutableRow): MutableRow {
  return Object.fromEntries(
    Object.entries(given).map(([name, cell]) => [name, typeof cell === 'bigint' ? 0n : cell]),
  );
}

describe('a refusal', () => {
  it('says where, what the file has and what it should have', async () => {
    const rows = company();
    Object.assign(row(rows, 'reported_totals', 'portfolio fy2026-q1'), { cash_value_cents: 128_100n });
    const error = refuse(await bench.audit(rows, { only: ['42-check-amounts'] }));
    expect(isCrossfootError(error, 'audit_refused')).toBe(true);
    expect(error.exitCode).toBe(3);
    expect(error.message).toBe(
      'reported_totals fy2026-q1: cash_value_cents is 128100 cents, expected 128000 cents: the rows add up to it; nothing was published.',
    );
    expect(error.data).toEqual({
      check: '42-check-amounts',
      table: 'reported_totals',
      place: 'fy2026-q1',
      figure: 'cash_value_cents',
      expected: '128000',
      found: '128100',
      rule: 'the rows add up to it',
      cents_off: 100,
      refused: ['42-check-amounts'],
    });
  });

  it('lists the windows of initiatives that differ, and only those', async () => {
    const rows = company();
    Object.assign(row(rows, 'reported_totals', '2 fy2027'), { cash_value_cents: 1_087n });
    const { windows } = await bench.audit(rows, { only: ['42-check-amounts', '99-list-windows'] });
    expect(windows.filter(({ place }) => place.startsWith('initiative '))).toEqual([
      {
        place: 'initiative 2 fy2027',
        expected: '1086 0 0 1086 empty empty empty empty',
        found: '1087 0 0 1086 empty empty empty empty',
      },
    ]);
    const year = windows.find(({ place }) => place === 'initiatives fy2027');
    expect(year?.found).not.toBe(year?.expected);
  });

  it('keeps the first hundred places and says that there are more', async () => {
    const rows = company();
    const [first = {}] = rows['costs'] ?? [];
    rows['costs'] = Array.from({ length: 102 }, (_, n) => ({ ...first, cost_entry_id: BigInt(n + 1) }));
    const report = await bench.audit(rows, { only: ['28-check-links'] });
    const links = report.checks.find((check) => check.name === '28-check-links');
    expect(links?.offences).toHaveLength(100);
    expect(links?.cut).toBe(true);
  });
});

describe('what stands there twice', () => {
  it.each([
    ['16-check-inputs', 'value_inputs'],
    ['37-check-control-periods', 'accounting_periods'],
    ['38-check-control-ai-spend', 'ai_spend'],
  ])('%s counts a row that stands twice in %s', async (check, table) => {
    const rows = company();
    const control = controlOf(rows);
    rows[table]?.push({ ...rows[table].at(-1) });
    const report = await bench.audit(rows, { control, only: [check] });
    const [offence, ...others] = report.checks.flatMap(({ offences }) => offences);
    expect(offence).toMatchObject({ subject: table, figure: 'rows', expected: '1', found: '2' });
    expect(others).toEqual([]);
  });

  it('a group in the control totals is shown with both figures', async () => {
    const rows = company();
    const control = controlOf(rows);
    const euros = control['cost_entries']?.find(({ currency }) => currency === 'EUR');
    control['cost_entries']?.push({ ...euros, rows: '0' });
    const report = await bench.audit(rows, { control, only: ['30-check-control-costs'] });
    expect(report.checks.flatMap(({ offences }) => offences)).toMatchObject([
      { subject: 'costs', place: 'EUR', figure: 'rows', expected: '0 and 1', found: '1' },
    ]);
  });
});

describe('the engine', () => {
  it.each([
    ['reads a file of another folder', `from read_csv('/etc/hostname')`, 'disabled by configuration'],
    ['changes a setting', `set memory_limit = '64GB'`, 'configuration has been locked'],
    ['loads an extension', 'load httpfs', 'disabled'],
  ])('refuses a script that %s', async (_, sql, reason) => {
    const report = await bench.audit(company(), {
      job: { checks: [{ name: '00-view-breach', sql }] },
    });
    expect(refusals(report)).toEqual(['00-view-breach']);
    expect(report.checks.at(-1)?.offences[0]?.found).toContain(reason);
  });

  it('stops when the build is given up', async () => {
    const signal = AbortSignal.abort(new Error('given up'));
    await expect(bench.audit(company(), { job: { signal } })).rejects.toThrow('given up');
  });
});

describe('the published script', () => {
  it('runs in any DuckDB beside the files and prints nothing of a snapshot that is right', async () => {
    const printed: unknown[] = [];
    await bench.audit(company(), {
      spoil: async (directory) => {
        const instance = await DuckDBInstance.create(':memory:');
        const connection = await instance.connect();
        const script = besideFiles(auditScript(await readChecks()), directory);
        const statements = await connection.extractStatements(script);
        for (let index = 0; index < statements.count; index++) {
          const statement = await statements.prepare(index);
          const rows = (await statement.runAndReadAll()).getRowObjectsJson();
          printed.push(...rows.filter((found) => Object.hasOwn(found, 'subject')));
        }
        connection.closeSync();
        instance.closeSync();
      },
    });
    expect(printed).toEqual([]);
  });
});
