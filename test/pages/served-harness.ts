/** A build harness whose snapshots the real program serves, with the tokens that people sign in with. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { Folder } from '../commands/instances.ts';
import { programHere } from '../commands/program-here.ts';
import { type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { SEED, signingWith } from '../support/signing.ts';

export interface ServedHarness extends AsyncDisposable {
  readonly harness: BuildHarness;
  /** The store that is served; what is published there is signed with `SEED`. */
  readonly store: Store;
  /** Where the store keeps its objects. */
  readonly objects: string;
  /** Runs a command in this process, and gives what it prints. */
  readonly run: (...args: readonly string[]) => Promise<string>;
  /** A personal token of the account. */
  readonly issue: (account_id: bigint) => Promise<string>;
  /** Starts the server and gives its address, without a path. */
  serve(): Promise<string>;
}

/** Opens both; nothing is published yet. */
export async function openServedHarness(): Promise<ServedHarness> {
  const [harness, folder] = await Promise.all([openBuildHarness(), Folder.make()]);
  const close = async (): Promise<void> => {
    await folder[Symbol.asyncDispose]();
    await harness.close();
  };
  const env = {
    DATA_DIR: folder.path,
    DATABASE_URL: harness.database.url('cf_service'),
    LEDGER_URL: harness.database.url('cf_reader'),
    SIGNING_KEYS: SEED,
    OWNER_URL: harness.database.url('cf_owner'),
    SECRET_KEYS: 'the same key for every server of one ledger',
    // Every page several times in a minute is more than a person asks for.
    TOKEN_REQUESTS_PER_MINUTE: '100000',
    ADDRESS_REQUESTS_PER_MINUTE: '100000',
  };
  const run = async (...args: readonly string[]): Promise<string> => {
    const { program, printed } = programHere({ ...env, LOG_LEVEL: 'silent' });
    await program.parseAsync(args, { from: 'user' });
    return printed[0] ?? '';
  };
  const objects = join(folder.path, 'objects');
  const store = await openFolderStore({ fs, root: objects, randomUuid: randomUUID });
  return {
    harness,
    store: { ...store, signing: signingWith() },
    objects,
    run,
    issue: (account_id) =>
      run('token', 'issue', '--account', String(account_id), '--kind', 'personal', '--name', 'pages'),
    async serve() {
      const program = folder.run(['serve'], env);
      return (await program.said(/^ready /)).replace('ready ', '');
    },
    [Symbol.asyncDispose]: close,
  };
}
