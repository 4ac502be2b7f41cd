/** What `crossfoot pull` does: it pulls as `pull.mjs` does, and then audits and loads if wanted. */
import { pullOptions } from '../../client/command-line.ts';
import { PullStopped } from '../../client/errors.ts';
import { pull } from '../../client/pull.ts';
import { CrossfootError, type ErrorCode } from '../../errors.ts';
import { TABLES } from '../../tables/all.ts';
import type { CommandContext } from '../../run/context.ts';
import type { PullOptions } from './pull.ts';
import { parseTarget } from './pull-target.ts';

const CODES: Readonly<Record<PullStopped['exit'], ErrorCode>> = {
  1: 'pull_failed',
  2: 'usage_invalid',
  3: 'pull_refused',
};

/** Pulls, audits and loads, and tells how it ended by the exit codes of `pull.mjs`. */
export async function pullSnapshot(options: PullOptions, context: CommandContext): Promise<void> {
  try {
    await pullAndLoad(options, context);
  } catch (error) {
    if (!(error instanceof PullStopped)) throw error;
    throw new CrossfootError(CODES[error.exit], error.message, { cause: error });
  }
}

async function pullAndLoad(options: PullOptions, { env, signal, say, print }: CommandContext): Promise<void> {
  const target = options.into === undefined ? null : parseTarget(options.into, options.schema);
  const pulled = await pull(pullOptions(options, env), {
    say,
    signal,
    ...(options.audit && {
      inspect: async (folder, manifest) => {
        const { auditPulled } = await import('./pull-audit.ts');
        await auditPulled(folder, manifest, signal);
      },
    }),
  });
  const { snapshot_id, folder } = pulled;
  const tables = TABLES.map(({ name }) => name);
  const loaded = target === null ? false : await target.load({ snapshot_id, folder, tables });
  print(folder);
  if (target !== null && loaded) say(`loaded into ${target.name}, schema ${options.schema}`);
  if (pulled.isNew || loaded) return;
  throw new CrossfootError('pull_nothing_new', `Nothing new: snapshot ${snapshot_id} was here already.`);
}
