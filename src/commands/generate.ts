/** `crossfoot generate`: accounts of any size, made up from a seed, for measuring and trying out. */
import type { Command } from 'commander';
import { type GenerateRequest, generateAccount, holdsReference } from '../ledger/generate.ts';
import { asOwner } from '../run/as-owner.ts';
import { type CommandContext, openSettings } from '../run/context.ts';
import { demandOwner, openDatabases } from '../run/databases.ts';
import { parseCount } from './terminal/id-argument.ts';
import { loadSharedRows } from '../run/demo/shared-rows.ts';
import { unlessStopped } from '../run/stopping.ts';

const MOST_ROWS = 100_000_000;

const EXAMPLES = `
Examples:
  crossfoot generate --rows 1000
  crossfoot generate --rows 50000 --accounts 3 --seed 7
  crossfoot generate --rows 1000000 --initiatives 10000 --years 5 --inputs 3000000`;

interface GenerateOptions extends Omit<GenerateRequest, 'inputs' | 'initiatives' | 'seed'> {
  readonly accounts: number;
  readonly seed: number;
  readonly initiatives?: number;
  readonly inputs?: number;
}

/** Adds the command to the program. */
export function addGenerateCommand(program: Command, context: CommandContext): void {
  program
    .command('generate')
    .description('fill new accounts with made-up rows of every kind; the same seed makes the same rows')
    .requiredOption(
      '--rows <n>',
      'cost entries of an account, and as many value entries',
      parseCount(MOST_ROWS),
    )
    .option('--seed <n>', 'what all is drawn from', parseCount(MOST_ROWS), 1)
    .option('--accounts <n>', 'how many accounts', parseCount(1000), 1)
    .option(
      '--initiatives <n>',
      'initiatives of an account; one for every hundred rows if left out',
      parseCount(MOST_ROWS),
    )
    .option(
      '--years <n>',
      'years of entries, the last ending with the newest published rate',
      parseCount(30),
      3,
    )
    .option(
      '--inputs <n>',
      'formula inputs of an account; three for every row if left out',
      parseCount(MOST_ROWS),
    )
    .addHelpText('after', EXAMPLES)
    .action(async ({ accounts, seed, ...asked }: GenerateOptions) => {
      const request: GenerateRequest = {
        initiatives: Math.max(20, Math.floor(asked.rows / 100)),
        inputs: asked.rows * 3,
        ...asked,
        seed: BigInt(seed),
      };
      const { settings } = openSettings(context);
      const databases = await openDatabases(settings, context.signal);
      try {
        await unlessStopped(
          context.signal,
          asOwner(databases, 'crossfoot generate', async (owner) => {
            if (!(await holdsReference(owner))) await loadSharedRows(demandOwner(databases));
            for (let made = 0; made < accounts; made++) {
              const account = await generateAccount(owner, request, ({ table, rows }) =>
                context.say(`${table}: ${rows} rows`),
              );
              context.print(`account ${account}`);
            }
          }),
        );
      } finally {
        await databases.stop();
      }
    });
}
