/** The action of `crossfoot pull`: pulls like `pull.mjs`, audits with `--audit`, and loads with `--into`. */
import { pullOptions } from '../../client/command-line.ts';
import { PullStopped } from '../../client/errors.ts';
import { pull } from '../../client/pull.ts';
import type { PulledTable } from '../../client/remote-manifest.ts';
import { CrossfootError, type ErrorCode } from '../../errors.ts';
import { TABLES } from '../../tables/all.ts';
import { shownCountOf, shownDuration, shownSize } from '../../format.ts';
import { aligned } from '../terminal/aligned.ts';
import { CLOCK } from '../../run/machine.ts';
import type { CommandContext } from '../../run/context.ts';
import { parseTarget } from './pull-target.ts';

export interface PullOptions {
  readonly url: string;
  readonly token?: string;
  readonly to: string;
  readonly snapshot: string;
  readonly tables?: string;
  readonly audit: boolean;
  readonly retracted: boolean;
  readonly key?: string;
  readonly into?: string;
  readonly history: boolean;
  readonly schema: string;
}

const CODES: Readonly<Record<PullStopped['exit'], ErrorCode>> = {
  1: 'pull_failed',
  2: 'usage_invalid',
  3: 'pull_refused',
};

/** Pulls, audits and loads. Each failure is thrown as an error with the exit code that `pull.mjs` would have. */
export async function pullSnapshot(options: PullOptions, context: CommandContext): Promise<void> {
  try {
    await pullAndLoad(options, context);
  } catch (error) {
    if (!(error instanceof PullStopped)) throw error;
    throw new CrossfootError(CODES[error.exit], error.message, { cause: error });
  }
}

async function pullAndLoad(options: PullOptions, context: CommandContext): Promise<void> {
  const { env, signal, say, print, follow } = context;
  const began = CLOCK.now();
  const target = options.into === undefined ? null : parseTarget(options.into, options);
  const pulled = await pull(pullOptions(options, env), {
    say,
    signal,
    onBytes: (bytes, of) => follow?.('downloading', { bytes, of }),
    ...(options.audit && {
      inspect: async (folder, manifest) => {
        follow?.('audit');
        const { auditPulled } = await import('./pull-audit.ts');
        await auditPulled(folder, manifest, signal);
      },
    }),
  });
  const { snapshot_id, folder } = pulled;
  const tables = TABLES.map(({ name }) => name);
  if (target !== null) follow?.(`loading into ${target.name}`);
  const loaded = target === null ? false : await target.load({ snapshot_id, folder, tables });
  follow?.(null);
  // On a terminal, the pulled tables are listed, too.
  if (follow !== undefined && pulled.isNew) {
    for (const line of pulledLines(pulled.tables, Number(CLOCK.now() - began) / 1_000)) say(line);
  }
  print(folder);
  if (target !== null) {
    const place = `${target.name}, schema ${options.schema}`;
    say(loaded ? `loaded into ${place}` : `snapshot ${snapshot_id} is in ${place} already`);
  }
  if (pulled.isNew || loaded) return;
  throw new CrossfootError('pull_nothing_new', `Nothing new: snapshot ${snapshot_id} was here already.`);
}

/** A line with rows and size for each pulled table, a line for all tables, and the time that the pull took. */
function pulledLines(tables: readonly PulledTable[], ms: number): readonly string[] {
  const sum = { row_count: 0, size_bytes: 0 };
  for (const { row_count, size_bytes } of tables) {
    sum.row_count += row_count;
    sum.size_bytes += size_bytes;
  }
  const lines = [...tables, { table: `${tables.length} tables`, ...sum }];
  const cells = lines.map((line) => [
    line.table,
    shownCountOf(line.row_count, 'row'),
    shownSize(line.size_bytes),
  ]);
  return [...aligned(cells), `pulled in ${shownDuration(ms)}`];
}
