/** `crossfoot verify`: checks the digests of a snapshot and audits it again, from the store or a copied folder. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { CrossfootError } from '../errors.ts';
import { isSnapshotId } from '../snapshot/format/snapshot-id.ts';
import { parseId } from './terminal/arguments.ts';
import type { VerifySubject } from './actions/verify.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot verify 20260715T020000Z --account 1
  npx --no crossfoot verify latest --account 1 --json
  npx --no crossfoot verify 2026-10-close --account 1
  npx --no crossfoot verify ./copied-snapshot
  npx --no crossfoot verify ./saved.ducklake

A folder is a copy of a snapshot's folder in the store (v1/a/<account>/s/<snapshot>), or was
downloaded from a server by pull or by hand (manifest.json, *.parquet). pull --audit also downloads audit.sql, audit.json, control.json and schema.json. Without them only
the digests are checked, and the report says so. It needs no database, and no network except for a store in S3.
A file that ends with .ducklake or .sqlite is a saved catalogue: it is derived again from the store, and every row is
compared. Exit code 3: refused.`;

const FORMS = ['ducklake', 'sqlite'] as const;

interface VerifyOptions {
  readonly account?: bigint;
  readonly json: boolean;
}

/** Adds the command to the program. */
export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .description('re-hash a published snapshot and audit it again with its own SQL')
    .argument(
      '<snapshot, folder or catalogue>',
      'the id of a snapshot, latest, the name of a pin, a folder with its files, or a saved catalogue',
    )
    .option('--account <id>', 'the account of the snapshot; required for a snapshot in the store', parseId)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', EXAMPLES)
    .action(async (subject: string, { account, json }: VerifyOptions) => {
      const form = FORMS.find((each) => subject.endsWith(`.${each}`));
      if (form !== undefined) {
        const { verifySaved } = await import('./actions/verify-catalogue.ts');
        return await verifySaved({ catalogue: subject, form, account }, json, context);
      }
      const what = parseSubject(subject, account);
      const { verify } = await import('./actions/verify.ts');
      await verify(what, json, context);
    });
}

function parseSubject(subject: string, account: bigint | undefined): VerifySubject {
  if (subject !== 'latest' && !isSnapshotId(subject)) return { folder: subject, account };
  if (account !== undefined) return { id: subject, account };
  throw new CrossfootError('usage_invalid', `--account <id> is required to find snapshot ${subject}.`);
}
