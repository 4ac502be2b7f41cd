/** Rows, columns and bytes: whatever is lost, doubled, moved or changed is refused. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLES } from '../../../src/tables/all.ts';
import type { Table } from '../../../src/tables/table.ts';
import { company, type Company, row } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, readChecks, refusals } from './audited-files.ts';
import { at } from './audited-rows.ts';

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** The first checks: none comes before them, so the first of them to refuse is the first of all. */
const UP_TO_KEYS = ['05-list-rows', '10-check-structure', '11-check-snapshot', '12-check-keys'];

describe('a row that is', () => {
  const control = controlOf(company());
  const names = TABLES.map(({ name }) => name);
  const many = names.filter((name) => name !== 'snapshot');
  it.each(many)('lost from %s is refused', async (table) => {
    const rows = company();
    rows[table]?.pop();
    expect((await bench.audit(rows, { control })).passed).toBe(false);
  });

  it.each(names)('twice in %s is refused', async (table) => {
    const rows = company();
    rows[table]?.push({ ...rows[table].at(-1) });
    const [check] = refusals(await bench.audit(rows, { control, only: UP_TO_KEYS }));
    expect(check).toBe(table === 'snapshot' ? '11-check-snapshot' : '12-check-keys');
  });

  it.each(many)('out of order in %s is refused', async (table) => {
    const rows = company();
    rows[table]?.reverse();
    expect(refusals(await bench.audit(rows, { control }))).toEqual(['12-check-keys']);
  });

  it('the window missing from reported_totals, or one too many, is refused', async () => {
    const missing = company();
    missing['reported_totals'] =
      missing['reported_totals']?.filter((each) => each['window_key'] !== 'fy2026-q2') ?? [];
    expect(refusals(await bench.audit(missing, { control }))).toContain('41-check-windows');
    const extra = company();
    const all = row(extra, 'reported_totals', '3 all');
    extra['reported_totals']?.splice(13, 0, { ...all, window_kind: 'fiscal_year', window_key: 'fy2027' });
    expect(refusals(await bench.audit(extra, { control }))).toEqual(['41-check-windows']);
  });

  it("moved from one initiative to the other's cent by cent is refused (F-19)", async () => {
    const rows = company();
    for (const table of ['costs', 'reported_value']) {
      const [first, second] = rows[table] ?? [];
      if (first && second) [first['updated_at'], second['updated_at']] = [at('2025-01-01'), at('2025-01-01')];
    }
    expect(refusals(await bench.audit(rows, { control }))).toEqual([
      '30-check-control-costs',
      '31-check-control-value',
    ]);
  });
});

describe('a file', () => {
  const structures: readonly [string, (table: Table) => Table][] = [
    ['without its last column', (table) => ({ ...table, columns: table.columns.slice(0, -1) })],
    [
      'with two columns in another order',
      (table) => ({ ...table, columns: [...table.columns.slice(1), ...table.columns.slice(0, 1)] }),
    ],
    [
      'with every column nullable',
      (table) => ({ ...table, columns: table.columns.map((column) => ({ ...column, nullable: true })) }),
    ],
  ];
  it.each(structures)('%s is refused, in every table', async (_, change) => {
    const refused: string[] = [];
    for (const table of TABLES) {
      const tables = TABLES.map((each) => (each === table ? change(each) : each));
      const report = await bench.audit(cut(company(), tables), { tables, only: ['10-check-structure'] });
      if (refusals(report).includes('10-check-structure')) refused.push(table.name);
    }
    expect(refused).toEqual(TABLES.map(({ name }) => name));
  });

  it('with another type in a column is refused', async () => {
    const rows = company();
    for (const each of rows['costs'] ?? []) each['vendor_name'] = 5n;
    const tables = TABLES.map((table) => ({
      ...table,
      columns: table.columns.map((column) =>
        table.name === 'costs' && column.name === 'vendor_name' ? { ...column, kind: 'id' as const } : column,
      ),
    }));
    const report = await bench.audit(rows, { tables, only: ['10-check-structure'], control: {} });
    expect(refusals(report)).toEqual(['10-check-structure']);
  });

  it.each([1, -1])('with another number of rows than were written is refused: %i', async (more) => {
    const rows = company();
    const found = rows['costs']?.length ?? 0;
    const { checks } = await bench.audit(rows, {
      only: ['05-list-rows'],
      said: (table) => (table.name === 'costs' ? { ...table, rows: table.rows + more } : table),
    });
    expect(checks.filter(({ passed }) => !passed)).toMatchObject([
      {
        name: '05-list-rows',
        offences: [
          {
            subject: 'costs',
            place: 'the file',
            figure: 'rows',
            expected: String(found + more),
            found: String(found),
          },
        ],
      },
    ]);
  });

  it.each([...TABLES.map(({ name }) => `${name}.parquet`), 'schema.json', 'control.json'])(
    '%s with one bit changed, a byte cut off or one too many never reaches the engine',
    async (name) => {
      for (const spoil of [flipped, shortened, lengthened]) {
        const report = await bench.audit(company(), {
          spoil: async (directory) => {
            const path = join(directory, name);
            await writeFile(path, spoil(await readFile(path)));
          },
        });
        expect(report.checks.map((check) => check.name)).toEqual(['00-bytes']);
        expect(report.passed).toBe(false);
      }
    },
  );

  it('that no table declares is refused', async () => {
    const report = await bench.audit(company(), {
      spoil: async (directory) => {
        await writeFile(join(directory, 'extra.parquet'), await readFile(join(directory, 'costs.parquet')));
      },
    });
    expect(refusals(report)).toEqual(['05-list-rows', '10-check-structure']);
  });

  it('that a check cannot read is refused with the reason', async () => {
    const sql = 'select gone from costs;';
    const report = await bench.audit(company(), {
      job: { checks: [...(await readChecks()), { name: '90-check-gone', sql }] },
    });
    expect(report.checks.at(-1)).toMatchObject({
      name: '90-check-gone',
      passed: false,
      offences: [{ subject: 'audit', found: expect.stringContaining('gone') }],
    });
  });
});

function cut(rows: Company, tables: readonly Table[]): Company {
  return Object.fromEntries(
    tables.map(({ name, columns }) => [
      name,
      (rows[name] ?? []).map((each) =>
        Object.fromEntries(
          columns
            .filter((column) => column.name in each)
            .map((column) => [column.name, each[column.name] ?? null]),
        ),
      ),
    ]),
  );
}

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const middle = Math.floor(bytes.length / 2);
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  return changed;
}

function shortened(bytes: Buffer): Buffer {
  return bytes.subarray(0, -1);
}

function lengthened(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.of(0)]);
}
