/** `crossfoot init`: writes a folder of small files that load and publish as they are. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot init ./own

Then: npx --no crossfoot account add, load and build. README.md in the folder says what each file holds. A folder that is
not empty is refused. It needs no database.`;

/** Adds the command to the program. */
export function addInitCommand(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('write a folder of small files that load and publish as they are')
    .argument('<folder>', 'a new folder, or an empty one')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string) => {
      const { writeStarter } = await import('./actions/init.ts');
      await writeStarter(folder, context);
    });
}
