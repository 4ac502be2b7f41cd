/** `crossfoot token` and `crossfoot clients`: the access tokens of an account, and the assistants that people connected to it. */
import { type Command, Option } from 'commander';
import type { Client } from 'pg';
import type { CommandContext } from '../run/context.ts';
import type { TokenKind } from '../serve/auth/token.ts';
import type * as clientActions from './actions/clients.ts';
import type * as actions from './actions/token.ts';
import type { IssueOptions } from './actions/token.ts';
import { parseCount, parseId } from './terminal/arguments.ts';

/** Ten years. A token for longer is issued without an expiry. */
const MAX_DAYS = 3_650;
const KINDS: readonly TokenKind[] = ['personal', 'reporting'];
const EXAMPLES = `
Examples:
  npx --no crossfoot token issue --account 1 --kind reporting --name warehouse --expires 365
  npx --no crossfoot token issue --account 1 --kind reporting --name databricks --expires 365 --profile crossfoot.share
  npx --no crossfoot token list --account 1
  npx --no crossfoot token revoke 7 --account 1

All token commands need OWNER_URL, or the embedded database of DATA_DIR.`;

/** Adds the command to the program. */
export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program
    .command('token')
    .description('issue, list and revoke the access tokens of an account')
    .addHelpText('afterAll', EXAMPLES);
  const asOwner = async (run: (does: typeof actions, owner: Client) => Promise<void>): Promise<void> => {
    const does = await import('./actions/token.ts');
    const { withOwner } = await import('../run/as-owner.ts');
    await withOwner(context, 'crossfoot token', (owner) => run(does, owner));
  };
  token
    .command('issue')
    .description('make a token and print it; it is not shown again')
    .requiredOption('--account <id>', 'the account of the token', parseId)
    .addOption(
      new Option('--kind <kind>', 'personal acts for a person, reporting for the account')
        .choices(KINDS)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <text>', 'its name in the list')
    .option('--expires <days>', 'how many days the token is valid; forever if omitted', parseCount(MAX_DAYS))
    .option('--user <id>', 'who issues it: an owner or admin; the first owner if omitted', parseId)
    .option(
      '--profile <file>',
      'write a profile for OpenSharing with the token, instead of printing the token',
    )
    .action((options: IssueOptions) => asOwner(({ issue }, owner) => issue(owner, options, context)));
  token
    .command('list')
    .description('list tokens, also expired and revoked ones')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--json', 'print one JSON array', false)
    .action((options: { account: bigint; json: boolean }) =>
      asOwner(({ list }, owner) => list(owner, options, context)),
    );
  token
    .command('revoke')
    .description('refuse a token from now on; doing it twice changes nothing')
    .argument('<id>', 'its id in the list', parseId)
    .requiredOption('--account <id>', 'the account of the token', parseId)
    .action((id: bigint, { account }: { account: bigint }) =>
      asOwner(({ revoke }, owner) => revoke(owner, account, id, context)),
    );
}

const EXAMPLES_OF_CLIENTS = `
Examples:
  npx --no crossfoot clients list --account 1
  npx --no crossfoot clients end 7 --account 1

Both need OWNER_URL, or the embedded database of DATA_DIR.`;

/** Adds the command to the program. */
export function addClientsCommand(program: Command, context: CommandContext): void {
  const clients = program
    .command('clients')
    .description('list and end the assistants that people connected to an account')
    .addHelpText('afterAll', EXAMPLES_OF_CLIENTS);
  const asOwner = async (
    run: (does: typeof clientActions, owner: Client) => Promise<void>,
  ): Promise<void> => {
    const does = await import('./actions/clients.ts');
    const { withOwner } = await import('../run/as-owner.ts');
    await withOwner(context, 'crossfoot clients', (owner) => run(does, owner));
  };
  clients
    .command('list')
    .description('list what is connected, since when, and when it last asked')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--json', 'print one JSON array', false)
    .action((options: { account: bigint; json: boolean }) =>
      asOwner(({ list }, owner) => list(owner, options, context)),
    );
  clients
    .command('end')
    .description('refuse a connected client from its next question on')
    .argument('<id>', 'its id in the list', parseId)
    .requiredOption('--account <id>', 'the account of the connection', parseId)
    .action((id: bigint, { account }: { account: bigint }) =>
      asOwner(({ end }, owner) => end(owner, account, id, context)),
    );
}
