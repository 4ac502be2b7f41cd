/** `crossfoot work`: builds what is queued, on any number of machines beside each other, until it is told to stop. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseCount } from './terminal/id-argument.ts';

const MAX_BUILDS = 64;
const EXAMPLES = `
Examples:
  crossfoot work
  crossfoot work --concurrency 4
  crossfoot work --until-empty`;

export interface WorkOptions {
  readonly concurrency: number;
  readonly untilEmpty: boolean;
}

/** Adds the command to the program. */
export function addWorkCommand(program: Command, context: CommandContext): void {
  program
    .command('work')
    .description('queue each night as it falls due, and build what is queued, beside any number of others')
    .option('--concurrency <n>', 'how many builds at once', parseCount(MAX_BUILDS), 1)
    .option('--until-empty', 'end when nothing is waiting, nor being built by anyone; queue nothing', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: WorkOptions) => {
      const { work } = await import('./actions/work.ts');
      await work(options, context);
    });
}
