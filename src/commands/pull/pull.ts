/** `crossfoot pull`: pulls with the code of `pull.mjs`; `--audit` audits the files, and `--into` loads them. */
import type { Command } from 'commander';
import { CrossfootError } from '../../errors.ts';
import type { CommandContext } from '../../run/context.ts';
import type { PullOptions } from './pull-snapshot.ts';

const EXAMPLES = `
Examples:
  CROSSFOOT_TOKEN=… npx --no crossfoot pull --url https://host/v1 --to ./snapshots --audit
  CROSSFOOT_TOKEN=… npx --no crossfoot pull --url https://host/v1 --to ./snapshots --into duckdb:./reporting.duckdb
  CROSSFOOT_TOKEN=… npx --no crossfoot pull --url https://host/v1 --to ./snapshots --into postgres://loader@db/warehouse --history

<to>/<snapshot_id>/ appears complete; then <to>/latest points to it, and <to>/latest.json is written last. A load replaces
all tables in one transaction. With --history it adds the snapshot to those in the tables. The next run repeats a failed
load; a snapshot is not loaded twice. Exit codes: 0 a new snapshot, 10 nothing new, 3 refused, retracted, corrupt or
different from the audit, 1 failed, 2 wrong usage.`;

/** Adds the command to the program. */
export function addPullCommand(program: Command, context: CommandContext): void {
  program
    .command('pull')
    .description('bring a snapshot from a server into a folder, and from there into a database')
    .requiredOption('--url <url>', 'the address of the API')
    .option(
      '--token <token>',
      'a personal or reporting token; in CROSSFOOT_TOKEN, other users of the machine cannot see it',
    )
    .requiredOption('--to <folder>', 'the folder for pulled snapshots')
    .option('--snapshot <id>', 'an id, instead of the newest', 'latest')
    .option('--tables <a,b>', 'only these tables')
    .option('--audit', 'run the published audit again before the snapshot appears in the folder', false)
    .option('--into <target>', 'load all tables into duckdb:<file> or postgres:<url>')
    .option('--history', 'add to the snapshots that the tables hold, instead of replacing them', false)
    .option('--retracted', 'pull a snapshot also after it was retracted, to compare', false)
    .option(
      '--key <key>',
      'the public key to trust, or a file of keys; if omitted, the key of the first pull into --to',
    )
    .option('--schema <name>', 'the schema of the loaded tables', 'crossfoot')
    .addHelpText('after', EXAMPLES)
    .action(async (options: PullOptions) => {
      if (options.tables !== undefined && (options.audit || options.into !== undefined)) {
        throw new CrossfootError('usage_invalid', '--audit and --into need all tables: leave --tables out.');
      }
      if (options.history && options.into === undefined) {
        throw new CrossfootError(
          'usage_invalid',
          '--history needs --into: it says how a load treats earlier snapshots.',
        );
      }
      const { pullSnapshot } = await import('./pull-snapshot.ts');
      await pullSnapshot(options, context);
    });
}
