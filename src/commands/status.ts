/** `crossfoot status`: how far this night has come, and how old what every account has published is. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';

const EXAMPLES = `
Examples:
  crossfoot status
  crossfoot status --json

refused: by the audit; failed: for another reason; both are tried again. dead: given up on after six tries; crossfoot
enqueue --account <id> asks once more.`;

/** Adds the command to the program. */
export function addStatusCommand(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description("say how far tonight's builds are, and how old each account's newest snapshot is")
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { json: boolean }) => {
      const { tellStatus } = await import('./actions/status.ts');
      await tellStatus(json, context);
    });
}
