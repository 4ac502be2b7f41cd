/** `crossfoot verify`: a snapshot held to its digests and audited again, from the store or from a copied folder. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { CrossfootError } from '../errors.ts';
import { isSnapshotId } from '../snapshot/format/snapshot-id.ts';
import { parseId } from './terminal/id-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot verify 20260715T020000Z --account 1
  crossfoot verify latest --account 1 --json
  crossfoot verify ./copied-snapshot

A folder has one of two layouts: a copy of the store's folder, or what a server sent, by crossfoot pull or by hand
(manifest.json, *.parquet). Without audit.sql, audit.json, control.json and schema.json, which crossfoot pull --audit
brings, only the digests are checked; what was not checked is said. No database, no network. Exit code 3: refused.`;

interface VerifyOptions {
  readonly account?: bigint;
  readonly json: boolean;
}

/** Adds the command to the program. */
export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .description('re-hash a published snapshot and audit it again with its own SQL')
    .argument('<snapshot or folder>', 'the id of a snapshot, latest, or a folder with its files')
    .option('--account <id>', 'whose snapshot it is; needed for one in the store', parseId)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', EXAMPLES)
    .action(async (wanted: string, { account, json }: VerifyOptions) => {
      const what = asked(wanted, account);
      const { verify } = await import('./actions/verify.ts');
      await verify(what, json, context);
    });
}

/** A snapshot of the store, latest or by its id, or a folder. */
export type Asked =
  | { readonly id: string; readonly account: bigint }
  | { readonly folder: string; readonly account: bigint | undefined };

function asked(wanted: string, account: bigint | undefined): Asked {
  if (wanted !== 'latest' && !isSnapshotId(wanted)) return { folder: wanted, account };
  if (account !== undefined) return { id: wanted, account };
  throw new CrossfootError('usage_invalid', `--account <id> must say whose snapshot ${wanted} is.`);
}
