/** `crossfoot deliver`: the folders and buckets that the snapshots of an account are copied to after publishing. */
import type { Command } from 'commander';
import type { Client } from 'pg';
import type { CommandContext } from '../../run/context.ts';
import { parseCount, parseId } from '../terminal/arguments.ts';
import type * as actions from './manage.ts';
import type { Addition, Listing, OfAccount } from './manage.ts';

const MAX_KEPT_SNAPSHOTS = 10_000;
const EXAMPLES = `
Examples:
  npx --no crossfoot deliver add s3://their-bucket/figures --account 1 --access-key AKIA… --secret-file ./secret
  npx --no crossfoot deliver add s3://figures --account 1 --endpoint https://store.example --access-key key < secret
  npx --no crossfoot deliver add /srv/figures --account 1 --keep 30
  npx --no crossfoot deliver list --account 1
  npx --no crossfoot deliver test 1 --account 1
  npx --no crossfoot deliver remove 1 --account 1
  npx --no crossfoot deliver reseal

Workers copy each snapshot to snapshots/<id>/ below the target: the 14 tables, their signatures, then manifest.json, and last
latest.json, which names the newest whole snapshot. --keep deletes only objects that a delivery made. All deliver commands need OWNER_URL, or the embedded database of DATA_DIR.`;

/** Adds the command to the program. */
export function addDeliverCommand(program: Command, context: CommandContext): void {
  const deliver = program
    .command('deliver')
    .description('deliver the snapshots of an account to its own bucket, or to a folder, after each night')
    .addHelpText('afterAll', EXAMPLES);
  const subcommand = (usage: string, description: string): Command =>
    deliver.command(usage).description(description).requiredOption('--account <id>', 'the account', parseId);
  const asOwner = async (run: (does: typeof actions, owner: Client) => Promise<void>): Promise<void> => {
    const does = await import('./manage.ts');
    const { withOwner } = await import('../../run/as-owner.ts');
    await withOwner(context, 'crossfoot deliver', (owner) => run(does, owner));
  };

  subcommand('add', 'deliver the newest snapshot and all later ones to this target')
    .argument('<target>', 's3://bucket/prefix, or the path of a folder')
    .option('--endpoint <url>', "the address of an S3-compatible store; Amazon's own if omitted")
    .option('--region <name>', 'the region of the bucket')
    .option(
      '--access-key <id>',
      "the id of the bucket's key; if omitted, DELIVERY_BUCKETS must list the bucket",
    )
    .option('--keep <n>', 'how many snapshots stay there; all if omitted', parseCount(MAX_KEPT_SNAPSHOTS))
    .option('--secret-file <file>', 'the file with the secret of the key; standard input if omitted')
    .action(async (target: string, of: Addition) => {
      const { add } = await import('./manage.ts');
      await add(target, of, context);
    });
  subcommand('list', 'list targets with their newest delivery, without secrets')
    .option('--json', 'print one JSON array', false)
    .action((of: Listing) => asOwner(({ list }, owner) => list(owner, of, context)));
  subcommand('test', 'write, read, replace and delete an object in the target now')
    .argument('<id>', 'its id in the list', parseId)
    .action((id: bigint, of: OfAccount) => asOwner(({ test }, owner) => test(owner, id, of, context)));
  subcommand('remove', 'deliver nothing more to the target, and forget its secret; what is there stays')
    .argument('<id>', 'its id in the list', parseId)
    .action((id: bigint, of: OfAccount) => asOwner(({ remove }, owner) => remove(owner, id, of, context)));
  deliver
    .command('reseal')
    .description(
      'seal the secrets of all targets with the first of the SECRET_KEYS, so that the others can go',
    )
    .action(async () => {
      const [{ reseal }, { withOwner }] = await Promise.all([
        import('./reseal.ts'),
        import('../../run/as-owner.ts'),
      ]);
      await withOwner(context, 'crossfoot deliver', (owner) => reseal(owner, context));
    });
}
