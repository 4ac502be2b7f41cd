/**
 * The file of one long table, `costs`, from its real select: against a bare client that reads the same columns and
 * drops them, against psql, CSV and DuckDB, and against rows, arrow and parquet-wasm as their manuals show them.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { copyOut } from '../../src/ledger/moment/copy.ts';
import { tableSelect } from '../../src/ledger/moment/table-select.ts';
import { WarmThread } from '../../src/parquet/warm-thread.ts';
import { writeCopy } from '../../src/parquet/write.ts';
import { SCHEMA_VERSION } from '../../src/tables/describe.ts';
import { TABLES } from '../../src/tables/all.ts';
import { type Benchmark, type BenchRequest, type Figure, figure } from './benchmark.ts';
import { drop } from './peers/bare-copy.ts';
import { buildThroughCsv, lacksPsql } from './peers/csv-peer.ts';
import { sizeOf } from './ledgers/generated-ledger.ts';
import { buildFromRows } from './peers/rows-peer.ts';
import { type CheckedFile, costsOfFile, costsOfLedger } from './same-costs.ts';
import { inRounds, median, timed, wallRatio } from './rounds.ts';

const ROWS = 1_000_000;
const ROUNDS = 3;
/** How many rows the peer that holds them all is given at most. */
const MAX_HELD = 1_500_000;
const SNAPSHOT_ID = '20260101T020000Z';
const GENERATED_AT = 1_767_232_800_000_000n; // 2026-01-01T02:00:00Z
const NEVER = new AbortController().signal;

export const tableBuild: Benchmark = {
  name: 'table-build',
  title: 'costs as Parquet, from its select',
  run: async (request) => {
    const ledger = await request.ledger();
    const account = await ledger.accountOf(sizeOf(request.rows ?? ROWS));
    return ledger.asReader(account, (reader) =>
      measure(request, reader, account, ledger.databases.ledgerUrl),
    );
  },
};

async function measure(
  { folder, say }: BenchRequest,
  reader: Client,
  account: bigint,
  url: string,
): Promise<readonly Figure[]> {
  const table = TABLES.find(({ name }) => name === 'costs');
  if (table === undefined) throw new Error('there is no table of costs');
  const select = tableSelect(table.name, { account_id: account, generated_at: GENERATED_AT });
  // What is published has these two as well; they are the same in every row, and we do not send them.
  const published = `select text '${SNAPSHOT_ID}' as snapshot_id, costs.* from (${select}) as costs`;
  const bare = `select * from ledger.cost_entries where account_id = ${account} order by id`;
  const expected = await costsOfLedger(reader, account);
  await using thread = new WarmThread();
  const ours = join(folder, 'ours.parquet');
  const build = async (): Promise<void> => {
    const handle = await open(ours, 'w');
    try {
      await writeCopy({
        table,
        constants: { snapshot_id: SNAPSHOT_ID },
        metadata: { table: table.name, snapshot_id: SNAPSHOT_ID, schema_version: SCHEMA_VERSION },
        ...copyOut(reader, select, NEVER),
        sink: (bytes) => handle.writeFile(bytes),
        thread,
        signal: NEVER,
      });
    } finally {
      await handle.close();
    }
  };
  const runs = await inRounds(
    { ours: build, floor: () => drop(reader, published), bare: () => drop(reader, bare) },
    ROUNDS,
  );
  await same(ours, expected);
  const wall = median(runs.ours.map(({ wall_s }) => wall_s));
  const cpu = median(runs.ours.map(({ cpu_s }) => cpu_s));
  const figures: Figure[] = [
    figure('table build: rows', expected.rows, 'rows'),
    figure('table build: wall', wall, 's', { runs: ROUNDS }),
    figure('table build: wall against the floor', wallRatio(runs.ours, runs.floor), 'times', {
      against: 'COPY binary of the published columns, read and dropped',
      runs: ROUNDS,
      target: { at_most: 1.35 },
    }),
    figure('table build: CPU', (cpu / expected.rows) * 1e6, 's a million rows', {
      runs: ROUNDS,
      target: { at_most: 5 },
    }),
    figure('table build: what the views cost', wallRatio(runs.floor, runs.bare), 'times', {
      against: 'COPY binary of the bare ledger table',
      runs: ROUNDS,
    }),
  ];
  const peers = [
    {
      name: 'psql CSV, DuckDB, Parquet',
      at_least: 2,
      lacks: await lacksPsql(),
      build: (file: string) => buildThroughCsv({ url, account, select: published, table, file }),
    },
    {
      name: 'rows, vectorFromArray, parquet-wasm',
      at_least: 7,
      lacks: expected.rows > MAX_HELD ? 'it holds all rows, more than fit into its memory' : null,
      build: (file: string) => buildFromRows(reader, published, table, file),
    },
  ];
  for (const peer of peers) {
    if (peer.lacks !== null) {
      say(`  not measured against ${peer.name}: ${peer.lacks}`);
      continue;
    }
    const file = join(folder, 'peer.parquet');
    // One run each, beside one of ours: the slowest takes half a minute, and the margin is large.
    const [own, theirs] = [await timed(build), await timed(() => peer.build(file))];
    await same(file, expected);
    figures.push(
      figure(`table build: faster than ${peer.name}`, theirs.wall_s / own.wall_s, 'times', {
        against: peer.name,
        target: { at_least: peer.at_least },
      }),
    );
  }
  return figures;
}

async function same(file: string, expected: CheckedFile): Promise<void> {
  const found = await costsOfFile(file);
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${file} holds ${JSON.stringify(found)}, the ledger ${JSON.stringify(expected)}`);
  }
}
