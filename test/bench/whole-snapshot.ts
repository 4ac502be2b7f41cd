/**
 * A whole build, from the moment to the published snapshot: the fourteen tables alone against the bare COPYs of their
 * selects; then with companion tables, FOCUS file and signatures against the tables alone; what of it is the audit, what
 * its process tree held, and what the ledger's own writers felt of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { requireOwner } from '../../src/run/databases.ts';
import { tableSelect } from '../../src/ledger/moment/table-select.ts';
import { TABLES } from '../../src/tables/all.ts';
import { SETS_BESIDE } from '../../src/tables/file-sets.ts';
import type { Table } from '../../src/tables/table.ts';
import { drop } from './peers/bare-copy.ts';
import { type Benchmark, type Figure, figure } from './benchmark.ts';
import { type GeneratedLedger, sizeOf } from './ledgers/generated-ledger.ts';
import { builderEnv, type MeasuredBuild, measureBuild, measureTables } from './measured-build.ts';
import { timed } from './rounds.ts';
import { type Waits, workBeside } from './work-beside.ts';

const ROWS = 1_000_000;
const GENERATED_AT = 1_767_232_800_000_000n; // 2026-01-01T02:00:00Z
/** What a build of so many rows may hold, and one of ten times as many. */
const MAX_MB = 450;
const MAX_MB_OF_MORE = 500;
const UNDISTURBED_MS = 20_000;

export const wholeSnapshot: Benchmark = {
  name: 'whole-snapshot',
  title: 'a build of fourteen tables, until the snapshot is published',
  run: async (request) => {
    const ledger = await request.ledger();
    const rows = request.rows ?? ROWS;
    const account = await ledger.accountOf(sizeOf(rows));
    const { databases } = ledger;
    const env = (name: string) => builderEnv(databases, request.folder, name);
    const { say } = request;
    const before_s = await bareCopies(ledger, account, { of: TABLES, say });
    const tables = await measureTables(account, env('tables'));
    const complete = await measureBuild(account, env('whole'));
    // Before and after, so that a machine that slows down slows both sides.
    const bare_s = (before_s + (await bareCopies(ledger, account, { of: TABLES, say }))) / 2;
    const more_s = await bareCopies(ledger, account, {
      of: SETS_BESIDE.flatMap((set) => set.tables),
      say,
    });
    const figures = [
      ...ofTables(tables, bare_s),
      figure('whole snapshot: bare COPYs of companion tables and FOCUS file', more_s / bare_s, 'times', {
        against:
          'bare COPYs of the tables: COPY binary of twelve tables (all but budget_vs_actual and reported_totals, which the builder computes), with their rows discarded, before and after the builds',
      }),
      ...ofWhole(complete, tables, rows > ROWS ? MAX_MB_OF_MORE : MAX_MB),
    ];
    // A larger build takes no more from writers than one of a million, only for longer.
    if (rows > ROWS) return figures;
    const without = await writersFor(ledger, account, () => sleep(UNDISTURBED_MS));
    const beside = await writersFor(ledger, account, () => measureBuild(account, env('beside')));
    return [...figures, ...ofWriters(without, beside)];
  },
};

/** The seconds of the tables' own selects, read one after the other and dropped; those that are computed have none. */
async function bareCopies(
  ledger: GeneratedLedger,
  account: bigint,
  { of, say }: { readonly of: readonly Table[]; readonly say: (line: string) => void },
): Promise<number> {
  return ledger.asReader(account, async (reader) => {
    let sum_s = 0;
    for (const { name, from } of of) {
      if (from === null) continue;
      const select = tableSelect(name, { account_id: account, generated_at: GENERATED_AT });
      const { wall_s } = await timed(() => drop(reader, select));
      say(`  bare COPY of ${name}: ${wall_s.toFixed(2)} s`);
      sum_s += wall_s;
    }
    return sum_s;
  });
}

function millisecondsOf({ events }: MeasuredBuild, kind: string): number {
  const event = events.find((each) => each.kind === kind);
  if (event === undefined || !('ms' in event)) throw new Error(`the build did not tell of ${kind}`);
  return event.ms;
}

function ofTables(build: MeasuredBuild, bare_s: number): readonly Figure[] {
  const wall_ms = millisecondsOf(build, 'snapshot.published');
  const steps = build.events.flatMap((event): Figure[] =>
    event.kind === 'table.written' ? [figure(`whole snapshot: ${event.table}`, event.ms / 1000, 's')] : [],
  );
  return [
    ...steps,
    figure('whole snapshot: wall of the tables alone', wall_ms / 1000, 's'),
    figure(
      'whole snapshot: wall of the tables alone against the bare COPYs',
      wall_ms / 1000 / bare_s,
      'times',
      {
        against:
          'COPY binary of twelve tables (all but budget_vs_actual and reported_totals, which the builder computes), with their rows discarded, before and after the builds',
        target: { at_most: 2 },
      },
    ),
    figure(
      "whole snapshot: the audit's share",
      millisecondsOf(build, 'audit.passed') / wall_ms,
      'of the wall time',
      {
        against: 'the build of the tables alone',
        target: { at_most: 0.2 },
      },
    ),
  ];
}

function ofWhole(build: MeasuredBuild, tables: MeasuredBuild, max_mb: number): readonly Figure[] {
  const [wall_ms, alone] = [build, tables].map((each) => millisecondsOf(each, 'snapshot.published'));
  return [
    figure('whole snapshot: wall', (wall_ms ?? NaN) / 1000, 's'),
    figure('whole snapshot: wall against the tables alone', (wall_ms ?? NaN) / (alone ?? NaN), 'times', {
      against: 'the same build without companion tables, FOCUS file and signatures',
      target: { at_most: 1.25 },
    }),
    figure('whole snapshot: peak RSS of the process tree', build.peak_bytes / 1e6, 'MB', {
      target: { at_most: max_mb },
    }),
  ];
}

async function writersFor(
  { databases }: GeneratedLedger,
  account: bigint,
  meanwhile: () => Promise<unknown>,
): Promise<readonly Waits[]> {
  const beside = await workBeside(requireOwner(databases), databases.ledgerUrl, account);
  // Their sessions end also where what they are beside fails.
  const [done, waits] = await Promise.allSettled([meanwhile()]).then(
    async ([result]) => [result, await beside.stop()] as const,
  );
  if (done.status === 'rejected') throw done.reason;
  return waits;
}

function ofWriters(without: readonly Waits[], beside: readonly Waits[]): readonly Figure[] {
  return beside.flatMap(({ work, times, p99_ms }, index) => {
    const alone_ms = without[index]?.p99_ms ?? NaN;
    const against = `${alone_ms.toFixed(1)} ms without a build`;
    return [
      figure(`whole snapshot: ${work} during the build, p99`, p99_ms, 'ms', { against, runs: times }),
      figure(
        `whole snapshot: ${work} during the build, p99 against that without a build`,
        p99_ms / alone_ms,
        'times',
        {
          against: 'the same work without a build, in the same run',
          runs: times,
          target: { at_most: 2 },
        },
      ),
    ];
  });
}
