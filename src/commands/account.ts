/** `crossfoot account`: adds, lists, shows, changes and removes the accounts of the ledger, as its owner. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from 'pg';
import type { CommandContext } from '../run/context.ts';
import type { Plan } from '../ledger/account-records.ts';
import type * as actions from './actions/account.ts';
import type { AddOptions, RemoveOptions, SetOptions } from './actions/account.ts';
import { parseCount, parseEmail, parseId, parseText } from './terminal/arguments.ts';

const PLANS: readonly Plan[] = ['free', 'team', 'business', 'enterprise'];
const MONTHS = 12;
const EXAMPLES = `
Examples:
  npx --no crossfoot account add "Own Company" --fiscal-year-start 7 --app-url https://app.example/own
  npx --no crossfoot account list --json
  npx --no crossfoot account show 4
  npx --no crossfoot account set 4 --name "Own Company Ltd" --fiscal-year-start 1
  npx --no crossfoot account remove 4 --dry-run

add switches the account's reporting on. The last line of stdout is a personal token of the first owner; it is not shown
again.

remove deletes the account's rows from the ledger. Its published snapshots can no longer be read, but their files stay in
the object store, below v1/a/<id>/. prune deletes the expired ones; delete that folder to delete the newest ones too.

Needs OWNER_URL, or the embedded database of a DATA_DIR.`;

const plan = (): Option => new Option('--plan <plan>', 'its plan').choices(PLANS);

/** Adds the command to the program. */
export function addAccountCommand(program: Command, context: CommandContext): void {
  const account = program
    .command('account')
    .description('add, list, show, change and remove accounts')
    .addHelpText('afterAll', EXAMPLES);
  const asOwner = async (
    run: (does: typeof actions, owner: Client) => Promise<void>,
    use: { readonly creates?: boolean } = {},
  ): Promise<void> => {
    const does = await import('./actions/account.ts');
    const { withOwner } = await import('../run/as-owner.ts');
    await withOwner(context, 'crossfoot account', (owner) => run(does, owner), use);
  };
  account
    .command('add')
    .description('add an account with its first owner, turn its reporting on, and print a personal token')
    .argument('<name>', 'its name, which no other account has', parseText)
    .option(
      '--fiscal-year-start <month>',
      'the month, 1 to 12, in which its fiscal year starts; 1 if omitted',
      parseCount(MONTHS),
    )
    .option('--app-url <url>', 'the address of its application, with which links begin', parseAppUrl)
    .addOption(plan().default('business'))
    .option('--no-api-access', 'its plan has no API access: no snapshot is built')
    .option('--owner-name <text>', 'the name of its first owner; Owner if omitted', parseText)
    .option('--owner-email <address>', 'the e-mail address of its first owner', parseEmail)
    .action((name: string, options: AddOptions) =>
      asOwner(({ add }, owner) => add(owner, name, options, context), { creates: true }),
    );
  account
    .command('list')
    .description('list the accounts')
    .option('--json', 'print one JSON array', false)
    .action(({ json }: { json: boolean }) => asOwner(({ list }, owner) => list(owner, json, context)));
  account
    .command('show')
    .description('show the settings, people and locked months of an account')
    .argument('<id>', 'the account', parseId)
    .option('--json', 'print one JSON object', false)
    .action((id: bigint, { json }: { json: boolean }) =>
      asOwner(({ show }, owner) => show(owner, id, json, context)),
    );
  account
    .command('set')
    .description('change the settings of an account')
    .argument('<id>', 'the account', parseId)
    .option('--name <text>', 'another name', parseText)
    .addOption(plan())
    .option('--api-access', 'its plan includes API access')
    .option('--no-api-access', 'its plan does not include API access')
    .option(
      '--fiscal-year-start <month>',
      'the month, 1 to 12, in which its fiscal year starts',
      parseCount(MONTHS),
    )
    .option('--contribution-margin <share>', 'the share of revenue that counts as value, 0 to 1', parseShare)
    .option('--auto-approve-value', 'value of connected sources is approved without a person')
    .option('--no-auto-approve-value', 'a person approves all value')
    .option(
      '--companion-tables',
      'its snapshots also hold the rows of the read API, for its parameter snapshot_id',
    )
    .option('--no-companion-tables', 'its snapshots hold the 14 reporting tables alone')
    .option('--app-url <url>', 'the address of its application, with which links begin', parseAppUrl)
    .option('--no-app-url', 'links begin with the setting APP_URL')
    .action((id: bigint, options: SetOptions) =>
      asOwner(({ set }, owner) => set(owner, id, options, context)),
    );
  account
    .command('remove')
    .description('delete an account and all its rows from the ledger')
    .argument('<id>', 'the account', parseId)
    .option('--dry-run', 'count the rows by table, and delete nothing', false)
    .option('--locked', 'delete it although months are locked', false)
    .action((id: bigint, options: RemoveOptions) =>
      asOwner(({ remove }, owner) => remove(owner, id, options, context)),
    );
}

/** Parses an address, without slashes at its end: the ledger refuses those. */
function parseAppUrl(text: string): string {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('An address begins with https:// or http://.');
  }
  return text.replace(/\/+$/, '');
}

function parseShare(text: string): string {
  if (!/^(?:0(?:\.\d{1,4})?|1(?:\.0{1,4})?)$/.test(text)) {
    throw new InvalidArgumentError('A share is a decimal from 0 to 1 with at most four digits, as in 0.625.');
  }
  return text;
}
