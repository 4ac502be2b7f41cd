/** What `crossfoot diff` does: it compares two snapshots in the engine of the audit, and prints the changes. */
import { changesOf, cacheDiffs, type SnapshotDiff } from '../../diff/diff-cache.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { spoolFolder } from '../../run/databases.ts';
import { countLines, headLines, moveLines, rowLines } from './diff-lines.ts';
import { requireNamed } from '../terminal/chosen-snapshot.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import { openComparing } from '../../run/server/diffs.ts';
import { CLOCK } from '../../run/machine.ts';

export interface DiffOptions {
  readonly account: bigint;
  readonly table?: string;
  readonly json: boolean;
}

const TOTALS = 'reported_totals';

/** Compares the two snapshots and prints the changes. */
export async function compare(
  from: string,
  to: string,
  options: DiffOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const store = await openStoreToRead(settings);
  const snapshots = createReader({ store, now: CLOCK.now, onFault: () => undefined });
  const [before, after] = [
    await requireNamed(snapshots, options.account, from),
    await requireNamed(snapshots, options.account, to),
  ];
  const { signal } = context;
  const given = { snapshots, signal, root: spoolFolder(settings) };
  const stored = { store, log: snapshots, onUnread: () => undefined };
  const diffs = cacheDiffs(await openComparing(given, stored));
  try {
    await diffs.use(options.account, before, after, async (diff) => {
      const ids = { from: before.snapshot_id, to: after.snapshot_id };
      await (options.json ? printJson(ids, diff, options, context) : tell(ids, diff, options, context));
    });
  } finally {
    await diffs.close();
  }
}

interface Ids {
  readonly from: string;
  readonly to: string;
}

/** One JSON object, printed with one row per line. */
async function printJson(
  { from, to }: Ids,
  diff: SnapshotDiff,
  { table }: DiffOptions,
  { print }: CommandContext,
): Promise<void> {
  const head = JSON.stringify({ from, to, tables: diff.tables });
  let last = `${head.slice(0, -1)},"data":[`;
  let separator = '';
  for await (const change of changesOf(diff, table)) {
    print(last + separator);
    last = JSON.stringify(change);
    separator = ',';
  }
  print(`${last}]}`);
}

async function tell(
  ids: Ids,
  diff: SnapshotDiff,
  { table }: DiffOptions,
  { print }: CommandContext,
): Promise<void> {
  for (const line of [...headLines(ids), ...countLines(diff.tables)]) print(line);
  for await (const change of changesOf(diff, table ?? TOTALS)) {
    const lines = table === undefined ? moveLines(change) : rowLines(change);
    for (const line of lines) print(line);
  }
}
