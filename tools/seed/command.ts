/** The command of `npm run seed`: accounts of any size from a seed, for measuring and trying out. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/terminal/arguments.ts';
import { asOwner } from '../../src/run/as-owner.ts';
import { type CommandContext, openSettings } from '../../src/run/context.ts';
import { requireOwner, openDatabases } from '../../src/run/databases.ts';
import { loadSharedRows } from '../../src/run/demo/shared-rows.ts';
import { unlessStopped } from '../../src/run/stopping.ts';
import { DRAWN_ROWS, type SeedRequest, hasSharedRows, seedAccount } from './seed-account.ts';

const MAX_ROWS = 100_000_000;

const NOTES = `
A large account is a random part and copies of that part. If its rows, initiatives and inputs cannot be split evenly into
parts of at most --drawn rows, every row is random. While rows are copied, other sessions wait. Afterwards two checks of formula
inputs are NOT VALID in PostgreSQL, because it has not checked the copies.

Examples:
  npm run seed -- --rows 1000
  npm run seed -- --rows 50000 --accounts 3 --seed 7
  npm run seed -- --rows 1000000 --initiatives 10000 --years 5 --inputs 3000000`;

interface SeedOptions extends Omit<SeedRequest, 'inputs' | 'initiatives' | 'seed'> {
  readonly accounts: number;
  readonly seed: number;
  readonly initiatives?: number;
  readonly inputs?: number;
}

/** The program with this one command. Wrong usage is thrown, so that one place decides on the exit code. */
export function createSeedProgram(context: CommandContext): Command {
  return new Command('npm run seed --')
    .exitOverride()
    .description('fill new accounts with made-up rows of every kind; the same seed makes the same rows')
    .requiredOption(
      '--rows <n>',
      'cost entries of an account, and as many value entries',
      parseCount(MAX_ROWS),
    )
    .option('--seed <n>', 'the seed of the random rows', parseCount(MAX_ROWS), 1)
    .option('--accounts <n>', 'how many accounts', parseCount(1000), 1)
    .option(
      '--initiatives <n>',
      'initiatives of an account; if omitted one for every hundred rows, at least 20',
      parseCount(MAX_ROWS),
    )
    .option(
      '--years <n>',
      'years of entries, the last ending with the newest published rate',
      parseCount(30),
      3,
    )
    .option(
      '--inputs <n>',
      'formula inputs of an account; three for every row if omitted',
      parseCount(MAX_ROWS),
    )
    .option(
      '--drawn <n>',
      'the most rows of an account that are drawn at random; the others are copies of them',
      parseCount(MAX_ROWS),
      DRAWN_ROWS,
    )
    .addHelpText('after', NOTES)
    .action(async ({ accounts, seed, ...asked }: SeedOptions) => {
      const request: SeedRequest = {
        initiatives: Math.max(20, Math.floor(asked.rows / 100)),
        inputs: asked.rows * 3,
        ...asked,
        seed: BigInt(seed),
      };
      const { settings } = openSettings(context);
      await using databases = await openDatabases(settings, context.signal, undefined, { creates: true });
      await unlessStopped(
        context.signal,
        asOwner(databases, 'crossfoot seed', (owner) =>
          asOwner(databases, 'crossfoot seed', async (helper) => {
            if (!(await hasSharedRows(owner))) await loadSharedRows(requireOwner(databases));
            for (let made = 0; made < accounts; made++) {
              context.print(`account ${await seedAccount(owner, request, context.say, [helper])}`);
            }
          }),
        ),
      );
    });
}
