/** The audit over files that were read from a real ledger: what agrees passes, and a view that loses a row does not. */
import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlTotals, readControlTotals } from '../../src/ledger/control.ts';
import { copyOut } from '../../src/ledger/copy.ts';
import { withMoment } from '../../src/ledger/moment.ts';
import { SOURCE_TABLES } from '../../src/ledger/source-tables.ts';
import { tableSelect } from '../../src/ledger/table-select.ts';
import { writeCopy, writeRows, type WrittenTable } from '../../src/parquet/write.ts';
import type { AuditReport } from '../../src/snapshot/audit-report.ts';
import { type AuditedTable, auditSnapshot } from '../../src/snapshot/audit.ts';
import { encodeCanonical } from '../../src/snapshot/canonical-json.ts';
import { FIGURE_ROWS } from '../../src/snapshot/figure-rows.ts';
import { TABLES } from '../../src/tables/all.ts';
import { describeTables } from '../../src/tables/describe.ts';
import type { Table } from '../../src/tables/table.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { at } from './audited-rows.ts';
import { readChecks } from './audited-files.ts';

const VIEWS = new URL('../../schema/views/', import.meta.url).pathname;
const LEFT_JOIN = /\bleft join (\S+)/g;
/** Which table shows what a view lost; a view with a left join and no table here fails the test. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  'accounting_months.sql': 'accounting_periods',
  'ai_spend.sql': 'ai_spend',
  'approval_decisions.sql': 'approval_decisions',
  'budget_versions.sql': 'budgets',
  'cost_entries.sql': 'costs',
  'initiatives.sql': 'initiatives',
  'observations.sql': 'metric_readings',
  'portfolio_decisions.sql': 'portfolio_decisions',
  'value_entries.sql': 'reported_value',
};
const SNAPSHOT_ID = '20260701T000000Z';
const GENERATED_AT = at('2026-07-01');

let database: TestDatabase;
let owner: Client;
let reader: Client;
let root: string;

beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  root = await mkdtemp(join(tmpdir(), 'crossfoot-audit-ledger-'));
});
afterAll(async () => {
  await database.drop();
  await rm(root, { recursive: true });
});

/** The files of one account, and what they must agree with. */
interface Files {
  readonly account_id: bigint;
  readonly directory: string;
  readonly tables: Map<string, AuditedTable>;
  readonly control: ControlTotals;
}

async function written(account_id: bigint): Promise<Files> {
  const directory = join(root, String(account_id));
  await mkdir(directory);
  const control = await inMoment(account_id, () => readControlTotals(reader, { accountId: account_id }));
  await writeFile(join(directory, 'schema.json'), encodeCanonical(describeTables()));
  await writeFile(join(directory, 'control.json'), encodeCanonical(control));
  const files: Files = { account_id, directory, tables: new Map(), control };
  for (const table of TABLES) await writeTable(files, table);
  return files;
}

async function writeTable({ account_id, directory, tables }: Files, table: Table): Promise<void> {
  const file = await fs.open(join(directory, `${table.name}.parquet`), 'w');
  const parameters = { accountId: account_id, generatedAt: GENERATED_AT };
  const named = table.columns.some(({ name }) => name === 'schema_version');
  const job = {
    table,
    constants: { snapshot_id: SNAPSHOT_ID, ...(named && { schema_version: 'v1' }) },
    metadata: { table: table.name },
    sink: (bytes: Uint8Array): Promise<void> => file.writeFile(bytes),
  };
  const rows = FIGURE_ROWS[table.name];
  const { signal } = new AbortController();
  try {
    const facts = await inMoment(account_id, async (): Promise<WrittenTable> => {
      if (rows !== undefined) return writeRows({ ...job, rows: rows(reader, parameters) });
      return writeCopy({ ...job, ...copyOut(reader, await tableSelect(table.name, parameters), signal) });
    });
    tables.set(table.name, { name: table.name, ...facts });
  } finally {
    await file.close();
  }
}

function inMoment<T>(accountId: bigint, read: () => Promise<T>): Promise<T> {
  const options = { accountId, tables: SOURCE_TABLES, at: GENERATED_AT, statementTimeoutMs: 60_000 };
  return withMoment(reader, options, read);
}

/** Audits the files; `until` leaves out the SQL from that number on. */
async function audited(files: Files, until = 'all'): Promise<AuditReport> {
  return auditSnapshot({
    directory: files.directory,
    tables: [...files.tables.values()],
    description: describeTables(),
    control: files.control,
    snapshot: { snapshot_id: SNAPSHOT_ID, account_id: files.account_id, generated_at: GENERATED_AT },
    checks: (await readChecks()).filter(({ name }) => name < until),
    tempDirectory: root,
    memoryLimit: '256MB',
    read: (path) => createReadStream(path),
    signal: new AbortController().signal,
  });
}

describe('files read from the fixture ledger', () => {
  let all: readonly Files[];
  beforeAll(async () => {
    const { rows } = await owner.query<{ id: bigint }>('select id from ledger.accounts order by id');
    all = await Array.fromAsync(rows, ({ id }) => written(id));
  });

  it('pass every check, for every account', async () => {
    const reports = await Array.fromAsync(all, (files) => audited(files));
    expect(reports.flatMap((report) => report.checks.filter((check) => !check.passed))).toEqual([]);
    expect(reports.every((report) => report.windows.length > 0)).toBe(true);
  });

  it('are refused when any left join of a view drops rows instead', { timeout: 400_000 }, async () => {
    const [files] = all;
    const passing: string[] = [];
    for (const name of await readdir(VIEWS)) {
      const view = await readFile(join(VIEWS, name), 'utf8');
      const restoring = view.replace('create view', 'create or replace view');
      const table = TABLES.find((each) => each.name === SHOWN_BY[name]);
      for (const { 0: leftJoin, index } of restoring.matchAll(LEFT_JOIN)) {
        if (files === undefined || table === undefined) throw new Error(`no table shows what ${name} lost`);
        await owner.query(`${restoring.slice(0, index)}${restoring.slice(index + 'left '.length)}`);
        await writeTable(files, table);
        await owner.query(restoring);
        // What reads the rows alone must see it, before any total is looked at.
        if ((await audited(files, '40')).passed) passing.push(`${name}: ${leftJoin}`);
      }
      if (files !== undefined && table !== undefined) await writeTable(files, table);
    }
    expect(passing).toEqual([]);
    expect(files && (await audited(files)).passed).toBe(true);
  });
});
