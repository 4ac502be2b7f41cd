/** `crossfoot people` and `crossfoot month`: the people of an account and its accounting months, as the ledger's owner. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from 'pg';
import type { CommandContext } from '../../run/context.ts';
import type { Databases } from '../../run/opened-databases.ts';
import type { Role } from '../../ledger/people.ts';
import type * as changePeople from './change-people.ts';
import type * as changeMonths from './change-months.ts';
import type { MonthOptions } from './change-months.ts';
import type { InviteOptions } from './change-people.ts';
import { parseEmail, parseId, parsePerson, parseReason, parseText } from '../terminal/arguments.ts';

const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];
const PEOPLE = `
Examples:
  npx --no crossfoot people invite ben@own.example --account 4
  npx --no crossfoot people invite kim@own.example --account 4 --role viewer --name "Kim Park"
  npx --no crossfoot people list --account 4
  npx --no crossfoot people remove ben@own.example --account 4

invite mails nothing. For an owner or admin, the last line of stdout is a personal token; it is not shown again. Members and
viewers get none.

remove revokes the person's personal tokens of this account. Reporting tokens belong to the account and stay valid: remove
names the person's sign-in token, and the command that ends that token. The account keeps what the person recorded,
decided and closed.

Needs OWNER_URL, or the embedded database of a DATA_DIR.`;

const MONTHS = `
Examples:
  npx --no crossfoot month close 2026-03 --account 4 --by 12
  npx --no crossfoot month reopen 2026-03 --account 4 --by 12 --reason "The March bill of Anthropic was booked twice."

In a closed month no cost and no approved value can be added, changed or deleted. people list shows the ids for --by:
viewers close and reopen no month.

Needs OWNER_URL, or the embedded database of a DATA_DIR.`;

/** Adds `people` to the program. */
export function addPeopleCommand(program: Command, context: CommandContext): void {
  const people = program
    .command('people')
    .description('invite people into an account, list them and remove them')
    .addHelpText('afterAll', PEOPLE);
  const asOwner = async (run: (does: typeof changePeople, owner: Client) => Promise<void>): Promise<void> => {
    const does = await import('./change-people.ts');
    const { withOwner } = await import('../../run/as-owner.ts');
    await withOwner(context, 'crossfoot people', (owner) => run(does, owner));
  };
  people
    .command('invite')
    .description('bring a person into an account, and print a token for an owner or admin; nothing is mailed')
    .argument('<e-mail>', 'the e-mail address of the person', parseEmail)
    .requiredOption('--account <id>', 'the account', parseId)
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).default('admin'))
    .option('--name <text>', 'the name of the person, if the ledger does not have the person yet', parseText)
    .action((email: string, options: InviteOptions) =>
      asOwner(({ invite }, owner) => invite(owner, email, options, context)),
    );
  people
    .command('list')
    .description('list the people of an account')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--json', 'print one JSON array', false)
    .action((options: { account: bigint; json: boolean }) =>
      asOwner(({ list }, owner) => list(owner, options, context)),
    );
  people
    .command('remove')
    .description('take a person out of an account, and revoke the personal tokens of that person')
    .argument('<person>', 'the person: an id of the list, or an e-mail address', parsePerson)
    .requiredOption('--account <id>', 'the account', parseId)
    .action((person: bigint | string, { account }: { account: bigint }) =>
      asOwner(({ remove }, owner) => remove(owner, person, account, context)),
    );
}

/** The owner's connection, and whether the database is the embedded one. */
type Opened = readonly [owner: Client, databases: Pick<Databases, 'embedded'>];

/** Adds `month` to the program. */
export function addMonthCommand(program: Command, context: CommandContext): void {
  const month = program
    .command('month')
    .description('close and reopen an accounting month')
    .addHelpText('afterAll', MONTHS);
  const asOwner = async (run: (does: typeof changeMonths, ...of: Opened) => Promise<void>): Promise<void> => {
    const does = await import('./change-months.ts');
    const { withOwner } = await import('../../run/as-owner.ts');
    await withOwner(context, 'crossfoot month', (...of) => run(does, ...of));
  };
  month
    .command('close')
    .description('make the figures of a month final')
    .argument('<month>', 'the month, YYYY-MM', parseMonth)
    .requiredOption('--account <id>', 'the account', parseId)
    .requiredOption('--by <id>', 'the person who closes it', parseId)
    .action((text: string, options: MonthOptions) =>
      asOwner(({ close }, ...of) => close(of, text, options, context)),
    );
  month
    .command('reopen')
    .description('let the entries of a closed month change again')
    .argument('<month>', 'the month, YYYY-MM', parseMonth)
    .requiredOption('--account <id>', 'the account', parseId)
    .requiredOption('--by <id>', 'the person who reopens it', parseId)
    .requiredOption('--reason <text>', 'why, for the readers of the month', parseReason)
    .action((text: string, options: MonthOptions & { readonly reason: string }) =>
      asOwner(({ reopen }, owner) => reopen(owner, text, options, context)),
    );
}

function parseMonth(text: string): string {
  // The months that the ledger takes.
  if (/^(?:199\d|2[01]\d\d)-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('A month is written YYYY-MM, from 1990-01 to 2199-12.');
}
