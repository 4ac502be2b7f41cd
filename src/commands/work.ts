/** `crossfoot work`: runs the queued builds until a signal stops it; it can run on several machines at the same time. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseCount } from './terminal/id-argument.ts';
import type { WorkOptions } from './actions/work.ts';

const MAX_BUILDS = 64;
const EXAMPLES = `
Examples:
  npx --no crossfoot work
  npx --no crossfoot work --concurrency 4
  npx --no crossfoot work --until-empty`;

/** Adds the command to the program. */
export function addWorkCommand(program: Command, context: CommandContext): void {
  program
    .command('work')
    .description(
      'queue each night when it falls due, and build the queue; several workers can run at the same time',
    )
    .option('--concurrency <n>', 'how many builds at once', parseCount(MAX_BUILDS), 1)
    .option('--until-empty', 'end when no build is waiting or running; queue nothing', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: WorkOptions) => {
      const { work } = await import('./actions/work.ts');
      await work(options, context);
    });
}
