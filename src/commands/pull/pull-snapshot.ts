/** `crossfoot pull`: what `pull.mjs` does, by the same code, and then an audit and a load if wanted. */
import type { Command } from 'commander';
import { pullOptions } from '../../client/command-line.ts';
import { PullStopped } from '../../client/outcome.ts';
import { pull } from '../../client/pull.ts';
import { CrossfootError, type ErrorCode } from '../../errors.ts';
import { TABLES } from '../../tables/all.ts';
import type { CommandContext } from '../../run/context.ts';
import { auditPulled } from './pull-audit.ts';
import { parseTarget } from './pull-target.ts';

const CODES: Readonly<Record<PullStopped['exit'], ErrorCode>> = {
  1: 'pull_failed',
  2: 'usage_invalid',
  3: 'pull_refused',
};
const EXAMPLES = `
Examples:
  CROSSFOOT_TOKEN=… crossfoot pull --url https://host/v1 --to ./snapshots --audit
  CROSSFOOT_TOKEN=… crossfoot pull --url https://host/v1 --to ./snapshots --into duckdb:./reporting.duckdb
  CROSSFOOT_TOKEN=… crossfoot pull --url https://host/v1 --to ./snapshots --into postgres://loader@db/warehouse

<to>/<snapshot_id>/ appears whole; then <to>/latest points to it, and <to>/latest.json is written, last. A load replaces
all tables in one transaction; one that failed is done by the next run. Exit codes: 0 a new snapshot, 10 nothing new,
3 refused, retracted, corrupt or not what the audit found, 1 failed, 2 wrong usage.`;

interface PullCommandOptions {
  readonly url: string;
  readonly token?: string;
  readonly to: string;
  readonly snapshot: string;
  readonly tables?: string;
  readonly audit: boolean;
  readonly retracted: boolean;
  readonly into?: string;
  readonly schema: string;
}

/** Adds the command to the program. */
export function addPullCommand(program: Command, context: CommandContext): void {
  program
    .command('pull')
    .description('bring a snapshot from a server into a folder, and from there into a database')
    .requiredOption('--url <url>', 'the address of the API')
    .option(
      '--token <token>',
      'a personal or reporting token; CROSSFOOT_TOKEN holds it out of sight of other users',
    )
    .requiredOption('--to <folder>', 'where snapshots are pulled into')
    .option('--snapshot <id>', 'an id, instead of the newest', 'latest')
    .option('--tables <a,b>', 'only these tables')
    .option('--audit', 'run the published audit again before anything is seen', false)
    .option('--into <target>', 'load all tables into duckdb:<file> or postgres:<url>')
    .option('--retracted', 'pull a snapshot also after it was retracted, to compare', false)
    .option('--schema <name>', 'the schema of the loaded tables', 'crossfoot')
    .addHelpText('after', EXAMPLES)
    .action(async (options: PullCommandOptions) => {
      try {
        await run(options, context);
      } catch (error) {
        if (!(error instanceof PullStopped)) throw error;
        throw new CrossfootError(CODES[error.exit], error.message, { cause: error });
      }
    });
}

async function run(options: PullCommandOptions, { env, signal, say, print }: CommandContext): Promise<void> {
  if (options.tables !== undefined && (options.audit || options.into !== undefined)) {
    throw new CrossfootError('usage_invalid', '--audit and --into need all tables: leave --tables out.');
  }
  const target = options.into === undefined ? null : parseTarget(options.into, options.schema);
  const pulled = await pull(pullOptions(options, env), {
    say,
    signal,
    ...(options.audit && { inspect: (folder, manifest) => auditPulled(folder, manifest, signal) }),
  });
  const { snapshot_id, folder } = pulled;
  const tables = TABLES.map(({ name }) => name);
  const loaded = target === null ? false : await target.load({ snapshot_id, folder, tables });
  print(folder);
  if (target !== null && loaded) say(`loaded into ${target.name}, schema ${options.schema}`);
  if (pulled.isNew || loaded) return;
  throw new CrossfootError('pull_nothing_new', `Nothing new: snapshot ${snapshot_id} was here already.`);
}
