/**
 * Measures how fast the long table `costs` becomes a Parquet file. The floor is a client that reads the same columns and drops
 * them. The peer uses arrow and parquet-wasm as their manuals show. The benchmark `peers` has other tools.
 */
import { join } from 'node:path';
import type { Client } from 'pg';
import { WarmThread } from '../../src/parquet/warm-thread.ts';
import { TABLES } from '../../src/tables/all.ts';
import { type Benchmark, type BenchRequest, type Figure, figure } from './benchmark.ts';
import { drop } from './peers/bare-copy.ts';
import { laneTable } from './peers/lane-job.ts';
import { writeOwn } from './peers/own-table.ts';
import { sizeOf } from './ledgers/generated-ledger.ts';
import { buildFromRows } from './peers/rows-peer.ts';
import { type CheckedFile, costsOfFile, costsOfLedger } from './same-costs.ts';
import { inRounds, median, timed, wallRatio } from './rounds.ts';

const ROWS = 1_000_000;
const ROUNDS = 3;
const ROWS_PEER = 'a program with arrow (vectorFromArray) and parquet-wasm';
/** The peer keeps all rows in memory, so it gets at most this many. */
const MAX_HELD = 1_500_000;

export const tableBuild: Benchmark = {
  name: 'table-build',
  title: 'the table costs, read from PostgreSQL and written as Parquet',
  run: async (request) => {
    const ledger = await request.ledger();
    const account = await ledger.accountOf(sizeOf(request.rows ?? ROWS));
    return ledger.asReader(account, (reader) => measure(request, reader, account));
  },
};

async function measure(
  { folder, say }: BenchRequest,
  reader: Client,
  account: bigint,
): Promise<readonly Figure[]> {
  const table = TABLES.find(({ name }) => name === 'costs');
  if (table === undefined) throw new Error('there is no table of costs');
  // The floor and the peer select `snapshot_id` too. Our build writes this column as a constant.
  const { select: published, file: ours } = laneTable(table, account, join(folder, 'ours.parquet'));
  const bare = `select * from ledger.cost_entries where account_id = ${account} order by id`;
  const expected = await costsOfLedger(reader, account);
  await using thread = new WarmThread();
  const build = (): Promise<number> => writeOwn(reader, account, { name: table.name, file: ours }, thread);
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
  if (expected.rows > MAX_HELD) {
    say(`  not measured against ${ROWS_PEER}: it keeps all rows in memory, and these are too many`);
    return figures;
  }
  const file = join(folder, 'peer.parquet');
  // One run each: the peer takes half a minute, and the margin is large.
  const [own, theirs] = [
    await timed(build),
    await timed(() => buildFromRows(reader, published, table, file)),
  ];
  await same(file, expected);
  figures.push(
    figure(`table build: faster than ${ROWS_PEER}`, theirs.wall_s / own.wall_s, 'times', {
      against: ROWS_PEER,
      target: { at_least: 7 },
    }),
  );
  return figures;
}

async function same(file: string, expected: CheckedFile): Promise<void> {
  const found = await costsOfFile(file);
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${file} holds ${JSON.stringify(found)}, the ledger ${JSON.stringify(expected)}`);
  }
}
