/** Each rule refuses the one thing that it alone forbids: the ledger is taken to say what the file says. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import { refuse } from '../../src/snapshot/audit-report.ts';
import { TABLES } from '../../src/tables/all.ts';
import type { Table } from '../../src/tables/table.ts';
import { at, company, type Company, type MutableRow } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, readChecks, refusals } from './audited-files.ts';

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
    expect(report.checks.map((check) => `${check.name}.sql`)).toEqual([
      '00-bytes.sql',
      ...files.map(({ name }) => name).filter((name) => /^\d\d-check-|^05/.test(name)),
    ]);
    expect(report.windows).toHaveLength(22);
    expect(report.windows).toContainEqual({
      place: 'fy2026-q1',
      expected: '128000 3000 50000 78000 1.56 0 50000 20000',
      found: '128000 3000 50000 78000 1.56 0 50000 20000',
    });
  });

  it('gives the same report again', async () => {
    expect(await bench.audit(company())).toEqual(await bench.audit(company()));
  });

  it('passes without a single row', async () => {
    const empty: Company = { ...company(), initiatives: [], reported_value: [], costs: [] };
    const all = company()['reported_totals']?.find(
      (each) => each['window_key'] === 'all' && each['scope'] === 'portfolio',
    );
    empty['reported_totals'] = [{ ...zeroed(all ?? {}), roi: null, vendor_price_effect_cents: null }];
    const report = await bench.audit(empty);
    expect(report.checks.filter((check) => !check.passed)).toEqual([]);
  });
});

function zeroed(given: MutableRow): MutableRow {
  return Object.fromEntries(
    Object.entries(given).map(([name, cell]) => [name, typeof cell === 'bigint' ? 0n : cell]),
  );
}

/** The rows of a table by the id in their first column; of totals by initiative and window. */
function row(rows: Company, table: string, key: bigint | string): MutableRow {
  const found = rows[table]?.find((each) =>
    typeof key === 'bigint'
      ? Object.values(each)[0] === key
      : `${each['initiative_id'] ?? 'portfolio'} ${String(each['window_key'])}` === key,
  );
  if (found === undefined) throw new Error(`${table} has no ${key}`);
  return found;
}

type Case = readonly [check: string, what: string, table: string, key: bigint | string, change: MutableRow];

const RULES: readonly Case[] = [
  ['13-check-never-empty', 'an empty basis', 'reported_value', 12n, { basis: null }],
  ['13-check-never-empty', 'an empty currency of a plan', 'initiatives', 3n, { currency: null }],
  ['13-check-never-empty', 'a window without an end', 'reported_totals', '3 all', { through_date: null }],
  ['14-check-enumerations', 'a stage that is none', 'initiatives', 3n, { stage: 'sleeping' }],
  [
    '15-check-references',
    'a portfolio row of an initiative',
    'reported_totals',
    'portfolio all',
    { initiative_id: 1n },
  ],
  ['20-check-dollars', 'a currency in small letters', 'costs', 23n, { currency: 'usd' }],
  ['20-check-dollars', 'a dollar entry with another dollar figure', 'costs', 23n, { usd_amount_cents: 701n }],
  ['20-check-dollars', 'a dollar entry without a dollar figure', 'costs', 23n, { usd_amount_cents: null }],
  [
    '20-check-dollars',
    'a dollar entry with a rate',
    'costs',
    23n,
    { usd_rate: 1, usd_rate_from: '2025-12-01', usd_rate_through: '2025-12-01' },
  ],
  ['20-check-dollars', 'a half rounded towards zero', 'reported_value', 15n, { usd_amount_cents: 1_085n }],
  ['20-check-dollars', 'dollars without a rate', 'reported_value', 16n, { usd_amount_cents: 760n }],
  [
    '20-check-dollars',
    'a rate below zero',
    'reported_value',
    16n,
    { usd_rate: -1, usd_amount_cents: -700n, usd_rate_from: '2025-12-01', usd_rate_through: '2025-12-01' },
  ],
  ['20-check-dollars', 'a rate without its first day', 'costs', 22n, { usd_rate_from: null }],
  ['20-check-dollars', 'a rate without its last day', 'costs', 22n, { usd_rate_through: null }],
  ['20-check-dollars', 'rate days in the wrong order', 'costs', 22n, { usd_rate_from: '2026-01-01' }],
  ['20-check-dollars', 'a provisional dollar entry', 'costs', 23n, { usd_rate_provisional: false }],
  ['20-check-dollars', 'no mark on a converted cost', 'costs', 22n, { usd_rate_provisional: null }],
  [
    '21-check-periods',
    'a period that begins after midnight',
    'reported_value',
    13n,
    { period_start: at('2025-05-20', 1) },
  ],
  ['21-check-periods', 'a period that ends before it begins', 'costs', 21n, { period_end: at('2025-04-30') }],
  ['21-check-periods', 'a month without a period', 'costs', 23n, { period_month: '2025-05-01' }],
  [
    '22-check-effects',
    'effects that do not add up',
    'reported_value',
    15n,
    { own_changes_effect_cents: 1_002n },
  ],
  ['22-check-effects', 'one effect alone', 'reported_value', 12n, { own_changes_effect_cents: 5_000n }],
  [
    '23-check-formulas',
    'a digest of something else',
    'reported_value',
    12n,
    { input_snapshot_sha256: '0'.repeat(64) },
  ],
  [
    '23-check-formulas',
    'another expression than the inputs have',
    'reported_value',
    14n,
    { formula_expression: 'b-a' },
  ],
  [
    '23-check-formulas',
    'a version that the formula does not have',
    'reported_value',
    14n,
    { formula_version: 3 },
  ],
  [
    '24-check-sources',
    'a synced cost recorded by a person',
    'costs',
    21n,
    { recorded_by_id: 501n, recorded_by_name: 'Ada' },
  ],
  [
    '24-check-sources',
    'a synced cost without a connection',
    'costs',
    21n,
    { connection_id: null, platform: null },
  ],
  ['24-check-sources', 'a person without the name', 'costs', 22n, { recorded_by_name: null }],
  ['24-check-sources', 'a name of nobody', 'costs', 23n, { recorded_by_name: 'Ada' }],
  [
    '24-check-sources',
    'an entry by hand said to be imported',
    'reported_value',
    13n,
    { provenance: 'Imported from CSV' },
  ],
  [
    '24-check-sources',
    'a draft said to be entered by hand',
    'reported_value',
    16n,
    { provenance: 'Entered by hand' },
  ],
  [
    '24-check-sources',
    'an import said to be a draft',
    'reported_value',
    12n,
    { provenance: 'Recorded by the assistant' },
  ],
  [
    '24-check-sources',
    'another formula named in the provenance',
    'reported_value',
    14n,
    { provenance: 'Calculated by Days' },
  ],
  [
    '24-check-sources',
    'another platform named in the provenance',
    'reported_value',
    15n,
    { provenance: 'Synced from Tunnel' },
  ],
  ['25-check-basis', 'a basis without a baseline', 'reported_value', 12n, { basis: 'measured' }],
  ['25-check-basis', 'an estimate said to be better', 'reported_value', 16n, { basis: 'none' }],
  [
    '26-check-approvals',
    'a person approving automatically',
    'reported_value',
    12n,
    { approval_source: 'auto' },
  ],
  [
    '26-check-approvals',
    'an automatic approval that never was',
    'reported_value',
    16n,
    { approval_source: 'auto' },
  ],
  ['27-check-plans', 'a stage to return to without a pause', 'initiatives', 2n, { stage: 'live' }],
  [
    '28-check-links',
    "a link to another record's page",
    'costs',
    23n,
    { app_url: 'https://app.example.com/initiatives/2/costs/22' },
  ],
  ['29-check-locks', 'a locked cost of an open month', 'costs', 22n, { locked: true }],
  ['29-check-locks', 'an open cost of a locked booking month', 'costs', 23n, { locked: false }],
  [
    '41-check-windows',
    'a window that is said to be over',
    'reported_totals',
    'portfolio fy2027-q2',
    { window_complete: true },
  ],
  ['43-check-ratios', 'a ratio without cash value', 'reported_totals', '1 fy2026-q3', { roi: -1 }],
  [
    '45-check-plans-due',
    'a plan due of an initiative',
    'reported_totals',
    '1 all',
    { planned_value_to_date_cents: 0n },
  ],
  [
    '45-check-plans-due',
    'no statement of what is due',
    'reported_totals',
    'portfolio all',
    { planned_capex_cents: null },
  ],
];

describe('a snapshot in which one value is wrong', () => {
  it.each(RULES)('is refused by %s: %s', async (check, _, table, key, change) => {
    const rows = company();
    Object.assign(row(rows, table, key), change);
    const report = await bench.audit(rows, { control: controlOf(rows), only: [check] });
    expect(refusals(report)).toEqual([check]);
  });

  it('says where, what the file has and what it should have', async () => {
    const rows = company();
    Object.assign(row(rows, 'reported_totals', 'portfolio fy2026-q1'), { cash_value_cents: 128_100n });
    const error = refuse(await bench.audit(rows, { only: ['42-check-amounts'] }));
    expect(isCrossfootError(error, 'audit_refused')).toBe(true);
    expect(error.exitCode).toBe(3);
    expect(error.message).toBe(
      'reported_totals fy2026-q1: cash value is 128100 cents, the rows add up to 128000; nothing was published.',
    );
    expect(error.data).toMatchObject({ check: '42-check-amounts', refused: ['42-check-amounts'] });
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

describe('a baseline', () => {
  it.each([
    ['history', '2026-01-31', false, 'measured'],
    ['history', '2026-02-01', false, 'estimated'], // the day of go-live
    ['time_study', '2026-02-01T00:00:00+01:00', false, 'measured'], // still January in UTC
    ['without_ai_sample', '2026-03-01', false, 'reconstructed'],
    ['benchmark', '2025-01-01', false, 'estimated'],
    ['history', '2026-01-31', true, 'estimated'],
  ])(
    'from %s of %s, marked estimated %s, makes an entry %s',
    async (method, observed_at, is_estimated, basis) => {
      const rows = company();
      const input_snapshot = JSON.stringify({
        expression: 'a-b',
        inputs: { b: { baseline_method: method, observed_at, source_type: 'baseline' } },
      });
      const passing: string[] = [];
      for (const said of ['measured', 'reconstructed', 'estimated', 'none']) {
        Object.assign(row(rows, 'reported_value', 14n), { input_snapshot, is_estimated, basis: said });
        if ((await bench.audit(rows, { only: ['25-check-basis'] })).passed) passing.push(said);
      }
      expect(passing).toEqual([basis]);
    },
  );

  it('that is weak speaks louder than one that is strong', async () => {
    const rows = company();
    const inputs = ['history', 'without_ai_sample'].map((baseline_method) => ({
      baseline_method,
      source_type: 'baseline',
    }));
    const input_snapshot = JSON.stringify({ expression: 'a-b', inputs: { a: inputs[0], b: inputs[1] } });
    Object.assign(row(rows, 'reported_value', 14n), { input_snapshot, basis: 'reconstructed' });
    expect((await bench.audit(rows, { only: ['25-check-basis'] })).passed).toBe(true);
  });
});

describe('a row that is', () => {
  const control = controlOf(company());
  it.each(['initiatives', 'reported_value', 'costs'])('lost from %s is refused', async (table) => {
    const rows = company();
    rows[table]?.pop();
    expect((await bench.audit(rows, { control })).passed).toBe(false);
  });

  it.each(['snapshot', 'initiatives', 'reported_value', 'costs', 'reported_totals'])(
    'twice in %s is refused',
    async (table) => {
      const rows = company();
      rows[table]?.push({ ...rows[table].at(-1) });
      const [check] = refusals(await bench.audit(rows));
      expect(check).toBe(table === 'snapshot' ? '11-check-snapshot' : '12-check-keys');
    },
  );

  it.each(['initiatives', 'reported_value', 'costs', 'reported_totals'])(
    'out of order in %s is refused',
    async (table) => {
      const rows = company();
      rows[table]?.reverse();
      expect(refusals(await bench.audit(rows, { control }))).toEqual(['12-check-keys']);
    },
  );

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

  it("moved from one initiative to the other's cent by cent is refused", async () => {
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
    const sql = '-- Reads costs. A column that is gone.\nselect gone from costs;';
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

describe('the engine', () => {
  it.each([
    ['reads a file of another folder', `from read_csv('/etc/hostname')`],
    ['changes a setting', `set memory_limit = '64GB'`],
    ['loads an extension', 'load httpfs'],
  ])('refuses a check that %s', async (_, sql) => {
    const report = await bench.audit(company(), {
      job: { checks: [{ name: '00-check-breach', sql: `-- Reads costs. A breach.\n${sql}` }] },
    });
    expect(refusals(report)).toEqual(['00-check-breach']);
  });

  it('stops when the build is given up', async () => {
    const signal = AbortSignal.abort(new Error('given up'));
    await expect(bench.audit(company(), { job: { signal } })).rejects.toThrow('given up');
  });
});
