/** `crossfoot doctor`: checks what a build needs, and prints advice for each fault. */
import type { Command } from 'commander';
import { CrossfootError } from '../../errors.ts';
import type { CommandContext } from '../../run/context.ts';
import type { Examined } from './examine.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot doctor
  npx --no crossfoot doctor --json
  OBJECT_STORE=s3://bucket/prefix npx --no crossfoot doctor

Writes probe objects below v1/probe/ and deletes them; a check that ends with an error may leave one. Reads the ledger as
the builds do. Exit code 1: a check failed.`;

/** Adds the command to the program. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('check settings, store, database, logins, grants, clocks and disk, and say what to do')
    .option('--json', 'print one JSON array', false)
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { json: boolean }) => {
      const { examine } = await import('./examine.ts');
      const examined = await examine(context);
      const { printJson } = await import('../terminal/print-json.ts');
      if (json) printJson(context.print, examined);
      else for (const line of examined.flatMap(lines)) context.print(line);
      const failed = examined.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
      if (failed.length === 0) return;
      throw new CrossfootError('doctor_failed', `A night would fail: ${failed.join(', ')}.`, {
        hint: 'Follow the advice below each check, then run npx --no crossfoot doctor again.',
      });
    });
}

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const;

function lines({ name, outcome, found, advice }: Examined): readonly string[] {
  const line = `${MARKS[outcome]}  ${name}: ${found}`;
  return [line, ...(advice?.split('\n') ?? []).map((each) => `         ${each}`)];
}
