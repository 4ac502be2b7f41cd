/**
 * `npm run campaign -- <name> [options]`: runs one campaign with its own options. Without a name it lists them all;
 * with `--ci` it prints those that `.ci/run` runs, one a line with their options. Exits 2 on wrong usage, and a
 * campaign exits 2 with a sentence when a program that it needs is missing.
 */
import { CAMPAIGNS } from './campaigns.ts';

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

const isUsage = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');

const asked = process.argv[2];
if (asked === undefined) {
  for (const { name, shows, needs } of CAMPAIGNS) {
    process.stdout.write(`${name.padEnd(16)} ${shows}${needs === undefined ? '' : ` Needs ${needs}.`}\n`);
  }
} else if (asked === '--ci') {
  for (const { name, ci } of CAMPAIGNS) {
    if (ci !== undefined) process.stdout.write(`${[name, ...ci].join(' ')}\n`);
  }
} else {
  const campaign =
    CAMPAIGNS.find(({ name }) => name === asked) ??
    refuse(`There is no campaign ${asked}. Campaigns: ${CAMPAIGNS.map(({ name }) => name).join(', ')}`);
  process.argv.splice(2, 1, ...(campaign.options ?? [])); // each reads its own options
  try {
    await campaign.run();
  } catch (error) {
    if (!isUsage(error)) throw error;
    refuse(error.message);
  }
}
