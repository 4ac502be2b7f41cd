/**
 * `crossfoot work`: runs the queued builds until a signal stops it; it can run on several machines at the same time.
 * `crossfoot nightly`: queues them where a scheduler starts the nights, and does what workers leave to it.
 */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseCount } from './terminal/arguments.ts';
import type { NightlyOptions } from './actions/nightly.ts';
import type { WorkOptions } from './actions/work.ts';

const MAX_BUILDS_AT_ONCE = 64;
const EXAMPLES = `
Examples:
  npx --no crossfoot work
  npx --no crossfoot work --concurrency 4
  npx --no crossfoot work --until-empty`;
const NIGHTLY_EXAMPLES = `
Examples:
  npx --no crossfoot nightly --once
  npx --no crossfoot nightly

With --once it queues the last due night and ends: for cron, systemd and Kubernetes. Run it as often as you like, also on
several machines: a night is queued once. Then it deletes and checks as \`npx --no crossfoot retention\` does.`;

/** Adds the command to the program. */
export function addWorkCommand(program: Command, context: CommandContext): void {
  program
    .command('work')
    .description(
      'queue each night when it falls due, and build the queue; several workers can run at the same time',
    )
    .option('--concurrency <n>', 'how many builds at once', parseCount(MAX_BUILDS_AT_ONCE), 1)
    .option('--until-empty', 'end when no build is waiting or running; queue nothing', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: WorkOptions) => {
      const { work } = await import('./actions/work.ts');
      await work(options, context);
    });
}

/** Adds the command that queues nights to the program. */
export function addNightlyCommand(program: Command, context: CommandContext): void {
  program
    .command('nightly')
    .description('queue each night when it falls due, delete what has expired, and check what is kept')
    .option('--once', 'queue the last due night, delete, check, and end', false)
    .addHelpText('after', NIGHTLY_EXAMPLES)
    .action(async (options: NightlyOptions) => {
      const { nightly } = await import('./actions/nightly.ts');
      await nightly(options, context);
    });
}
