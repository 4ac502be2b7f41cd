/** `crossfoot webhooks`: the webhooks of an account, and the outcome of their deliveries. */
import { type Command, Option } from 'commander';
import type { Client } from 'pg';
import type { CommandContext } from '../../run/context.ts';
import { parseCount, parseId } from '../terminal/arguments.ts';
import type * as actions from './manage.ts';
import type { Addition, Listing, OfAccount } from './manage.ts';
import type { WebhookForm } from '../../webhooks/names.ts';

const FORMS: readonly WebhookForm[] = ['json', 'slack', 'teams', 'email'];
const MAX_DELIVERIES = 1_000;
const FEW_DELIVERIES = 20;
const EXAMPLES = `
Examples:
  npx --no crossfoot webhooks add https://hooks.example/crossfoot --account 1
  npx --no crossfoot webhooks add https://hooks.slack.example/T1/B1 --as slack --events refused,failed,late --account 1
  npx --no crossfoot webhooks add mailto:finance@example.com --as email --account 1
  npx --no crossfoot webhooks list --account 1
  npx --no crossfoot webhooks test 1 --account 1
  npx --no crossfoot webhooks rotate 1 --account 1
  npx --no crossfoot webhooks remove 1 --account 1
  npx --no crossfoot webhooks deliveries --account 1

All webhook commands need OWNER_URL, or the embedded database of DATA_DIR. Workers deliver.`;

/** Adds the command to the program. */
export function addWebhooksCommand(program: Command, context: CommandContext): void {
  const webhooks = program
    .command('webhooks')
    .description(
      'tell a server, a channel or a mailbox of an account: published, refused, failed, late, stale, retracted, damaged, totals that moved, budgets that were passed, deliveries',
    )
    .addHelpText('afterAll', EXAMPLES);
  const subcommand = (usage: string, description: string): Command =>
    webhooks.command(usage).description(description).requiredOption('--account <id>', 'the account', parseId);
  const asOwner = async (run: (does: typeof actions, owner: Client) => Promise<void>): Promise<void> => {
    const does = await import('./manage.ts');
    const { withOwner } = await import('../../run/as-owner.ts');
    await withOwner(context, 'crossfoot webhooks', (owner) => run(does, owner));
  };

  subcommand('add', 'send events to this address from now on, and print its secret, which is not shown again')
    .argument('<url>', 'an https:// address; with --as email a mailbox, such as mailto:finance@example.com')
    .addOption(new Option('--as <form>', 'who reads it: a program, or people').choices(FORMS).default('json'))
    .option(
      '--events <names>',
      'published, refused, failed, late, stale, retracted, damaged, moved, budget, delivered, undelivered: those that it gets, separated by commas; the first three and stale, retracted and damaged if omitted',
    )
    .option(
      '--moved <percent>',
      'also tell of totals that moved by so much since the snapshot before, such as 5%',
    )
    .action((url: string, of: Addition) => asOwner(({ add }, owner) => add(owner, url, of, context)));
  subcommand('list', 'list webhooks, without their secrets')
    .option('--json', 'print one JSON array', false)
    .action((of: Listing) => asOwner(({ list }, owner) => list(owner, of, context)));
  subcommand('test', 'post a message of type `test` now, and print the answer')
    .argument('<id>', 'its id in the list', parseId)
    .action(async (id: bigint, of: OfAccount) => {
      const { testWebhook } = await import('./webhook-test.ts');
      await asOwner((_, owner) => testWebhook(owner, id, of.account, context));
    });
  subcommand(
    'rotate',
    'print a new secret, and enable the webhook again; the previous secret signs, too, until the next rotation',
  )
    .argument('<id>', 'its id in the list', parseId)
    .action((id: bigint, of: OfAccount) => asOwner(({ rotate }, owner) => rotate(owner, id, of, context)));
  subcommand('remove', 'send nothing more to the webhook, and delete its deliveries')
    .argument('<id>', 'its id in the list', parseId)
    .action((id: bigint, of: OfAccount) => asOwner(({ remove }, owner) => remove(owner, id, of, context)));
  subcommand('deliveries', 'show the last deliveries, newest event first')
    .option('--last <n>', 'how many', parseCount(MAX_DELIVERIES), FEW_DELIVERIES)
    .option('--json', 'print one JSON array', false)
    .action((of: Listing & { last: number }) =>
      asOwner(({ deliveries }, owner) => deliveries(owner, of, context)),
    );
}
