/** Companion tables in real builds: beside the tables, without changing one byte of these, audited, and switched off. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCompanionChecks } from '../../../src/run/builders/build-account.ts';
import { auditSnapshot } from '../../../src/snapshot/audit/audit.ts';
import { encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { decodeManifest } from '../../../src/snapshot/format/manifest.ts';
import { findDamage } from '../../../src/snapshot/keep/find-damage.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import { COMPANIONS } from '../../../src/tables/companions.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import { withFolder } from '../../parquet/temporary-folder.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { paceAt, readerAt } from '../builder/build-harness.ts';
import { AT, type BuildHarness, change, openBuildHarness } from '../builder/real-build.ts';

let harness: BuildHarness;
let checks: readonly SqlScript[];
let whole: Awaited<ReturnType<typeof built>>;
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readCompanionChecks()]);
  whole = await built(checks);
});
afterAll(() => harness.close());

/** A build of the company into a store of its own, and its manifest. */
async function built(companionChecks: readonly SqlScript[] | undefined) {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  await harness.build({ store, companionChecks });
  const reader = readerAt(store, () => AT);
  const snapshot = await reader.latest(1n);
  const entry = (await readLog(store, 1n)).entries[0];
  if (snapshot === null || entry === undefined) throw new Error('nothing was published');
  return { objects, store, reader, snapshot, entry };
}

describe('the companion tables', () => {
  it('are named by the manifest without their counts, and change no byte beside them', async () => {
    const { snapshot, reader, objects, entry } = whole;
    const without = await built(undefined);
    expect(without.snapshot.companions).toBeUndefined();
    expect(snapshot.tables).toEqual(without.snapshot.tables);
    expect(snapshot.files).toEqual(without.snapshot.files);
    expect(snapshot.companions?.tables.map((table) => Object.keys(table).toSorted())).toEqual(
      Object.values(COMPANIONS).map(() => ['blocks_sha256', 'name', 'sha256', 'size_bytes']),
    );
    const bytes = objects.get(`${entry.prefix}/manifest.json`) ?? new Uint8Array();
    expect(decodeManifest(bytes, { ...entry, account_id: 1n }).companions).toEqual(snapshot.companions);
    const rows = await reader.openRows(1n, snapshot.snapshot_id, COMPANIONS.value_entries);
    const statuses = new Set<unknown>();
    for await (const { columns } of rows.read(['status']))
      for (const one of columns[0] ?? []) statuses.add(one);
    expect(statuses).toContain('draft');
    const report = JSON.parse(
      Buffer.from(objects.get(`${entry.prefix}/companions.json`) ?? []).toString(),
    ) as unknown;
    expect(report).toMatchObject({
      tables: expect.arrayContaining([{ name: 'api_value_entries', row_count: rows.count }]) as unknown,
    });
    expect(Buffer.from(await reader.readCompanionReport(1n, snapshot.snapshot_id))).toEqual(
      Buffer.from(objects.get(`${entry.prefix}/companions.json`) ?? []),
    );
    await expect(without.reader.readCompanionReport(1n, without.snapshot.snapshot_id)).rejects.toMatchObject({
      code: 'not_found',
    });
    // What a reporting token opens knows no companion.
    await expect(reader.openTable(1n, snapshot.snapshot_id, 'api_value_entries')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('are read by a scrub to their last byte, and so is the file with their counts', async () => {
    const { objects, entry } = whole;
    const damaged = new Map(objects);
    const job = {
      account_id: 1n,
      entry,
      keys: [...objects.keys()].filter((key) => key.startsWith(entry.prefix)),
    };
    const tools = { store: memoryStore(damaged), pace: paceAt(0n), onRead: async () => undefined };
    expect(await findDamage(job, tools)).toMatchObject({ damaged: [], strange: [] });
    for (const file of ['api_metrics.companion', 'companions.json']) {
      const bytes = Uint8Array.from(objects.get(`${entry.prefix}/${file}`) ?? []);
      bytes[9] = (bytes[9] ?? 0) ^ 1;
      damaged.set(`${entry.prefix}/${file}`, bytes);
    }
    expect((await findDamage(job, tools)).damaged).toEqual(['api_metrics.companion', 'companions.json']);
  });

  it('are left out of the builds of an account that switched them off', async () => {
    const owner = await harness.database.client('cf_owner');
    await change(owner, 'update ledger.accounts set companion_tables = false where id = 1');
    try {
      expect((await built(checks)).snapshot.companions).toBeUndefined();
    } finally {
      await change(owner, 'update ledger.accounts set companion_tables = true where id = 1');
    }
  });

  it.each([
    [
      'a lost row',
      'api_observations',
      'from file where id <> (select min(id) from file)',
      '20-check-control',
    ],
    [
      'another amount',
      'api_cost_entries',
      'select * replace (amount_cents + 1 as amount_cents) from file',
      '20-check-control',
    ],
    [
      'another type',
      'api_cost_entries',
      "select * replace ('gifts' as cost_type) from file",
      '21-check-agreement',
    ],
    [
      'another basis',
      'api_value_entries',
      "select * replace ('none' as basis) from file",
      '21-check-agreement',
    ],
    [
      'another stage',
      'api_initiatives',
      "select * replace ('paused' as stage) from file",
      '21-check-agreement',
    ],
    [
      'another outcome',
      'api_decisions',
      "select * replace ('fix' as outcome) from file",
      '21-check-agreement',
    ],
    [
      'another spend',
      'api_budget_spend',
      'select * replace (opex_cents + 1 as opex_cents) from file',
      '22-check-spend',
    ],
    [
      'another snapshot',
      'api_metrics',
      "select * replace ('20200101T000000Z' as snapshot_id) from file",
      '23-check-snapshot-ids',
    ],
    ['another order', 'api_metrics', 'from file order by id desc', '12-check-keys'],
  ])('are refused by their audit with %s in %s', async (_, name, select, check) => {
    const report = await audited(name, select);
    expect(report.checks.filter(({ passed }) => !passed).map((one) => one.name)).toContain(check);
    expect(report.passed).toBe(false);
  });
});

/** The audit of the build's files, one companion of which is replaced by the rows of a query. */
async function audited(name: string, select: string) {
  const { objects, entry, snapshot } = whole;
  return await withFolder(async (directory) => {
    await mkdir(join(directory, 'companions'));
    for (const [key, bytes] of objects) {
      const file = key.slice(entry.prefix.length + 1);
      if (!key.startsWith(entry.prefix) || !/\.(?:parquet|companion|json)$/.test(file)) continue;
      const path = file.replace(/^(.*)\.companion$/, 'companions/$1.parquet');
      await writeFile(join(directory, path), bytes);
    }
    const path = (table: string) => join(directory, 'companions', `${table}.parquet`);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    // The counts of the whole files are those of the ledger.
    const control: string[] = [];
    for (const { name: table, columns } of Object.values(COMPANIONS)) {
      if (table === 'api_budget_spend') continue;
      const amount = ['amount_cents', 'cash_value_cents'].find((each) =>
        columns.some((one) => one.name === each),
      );
      const read = await connection.runAndReadAll(
        `select count(*)::varchar as rows, sum(id)::varchar as ids, sum(epoch_us(updated_at))::varchar as changes,
          coalesce(${amount === undefined ? '0' : `sum(${amount})`}, 0)::varchar as amount_cents
        from read_parquet('${path(table)}')`,
      );
      const [figures] = read.getRowObjectsJson();
      if (figures?.['rows'] === '0') continue;
      control.push(JSON.stringify({ base_table: 'rows', figures: { name: table, ...figures }, row: 1 }));
    }
    await writeFile(join(directory, 'companions', 'control.json'), `{"rows":[\n${control.join(',\n')}\n]}\n`);
    await connection.run(`create table file as from read_parquet('${path(name)}')`);
    await connection.run(`copy (${select}) to '${path(name)}' (format parquet)`);
    connection.closeSync();
    instance.closeSync();
    const described = async (file: string) => {
      const bytes = await readFile(join(directory, file));
      return { size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    };
    const description = describeTables();
    await writeFile(join(directory, 'schema.json'), encodeCanonical(description));
    return await auditSnapshot({
      directory,
      tables: await Promise.all(
        Object.values(COMPANIONS).map(async (table) => ({
          name: `companions/${table.name}`,
          rows: (await readerAt(memoryStore(objects), () => AT).openRows(1n, snapshot.snapshot_id, table))
            .count,
          ...(await described(`companions/${table.name}.parquet`)),
        })),
      ),
      description,
      control: await described('control.json'),
      snapshot: { snapshot_id: snapshot.snapshot_id, account_id: 1n, generated_at: AT, left_out: null },
      checks,
      tempDirectory: join(directory, 'temp'),
      memory_mb: 160,
      read: (file) => createReadStream(file),
      signal: new AbortController().signal,
    });
  });
}
