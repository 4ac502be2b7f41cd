/** The fortnight as the real program serves it, and the tokens that people sign in with. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { openFolderStore } from '../../src/store/folder.ts';
import { Folder } from '../commands/instances.ts';
import { programHere } from '../commands/program-here.ts';
import { flipBit } from '../commands/published-folder.ts';
import { openBuildHarness } from '../snapshot/build/real-build.ts';
import { passFortnight } from './fortnight.ts';
import { SEED } from '../support/signing.ts';

export interface ServedFortnight extends AsyncDisposable {
  /** The server, without a path. */
  readonly origin: string;
  /** Snapshots of the company by what became of them. */
  readonly snapshots: Readonly<Record<string, string>> & { readonly newest: string };
  /** A personal token of the company. */
  readonly token: string;
  /** One of an account that has no snapshot yet. */
  readonly emptyToken: string;
}

/** Builds, marks and serves it. */
export async function serveFortnight(): Promise<ServedFortnight> {
  const [harness, folder] = await Promise.all([openBuildHarness(), Folder.make()]);
  const close = async (): Promise<void> => {
    await folder[Symbol.asyncDispose]();
    await harness.close();
  };
  try {
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
    const { ids } = await passFortnight(harness, store, Date.now());
    const [damaged = ''] = ids;
    const [retracted = '', instead = '', pinned = '', newest = ''] = [-5, -4, -3, -1].map((at) => ids.at(at));
    const ours = ['--account', '1'];
    await run('pin', pinned, ...ours, '--name', '2026-10-close');
    const reason = 'The June bill of Anthropic was loaded twice.';
    await run('retract', retracted, ...ours, '--reason', reason, '--replaced-by', instead);
    await flipBit(await fileOf(objects, damaged, 'costs.parquet'));
    await run('scrub', ...ours).catch(() => undefined); // it fails because it finds damage
    const token = await issue(run, 1);
    const emptyToken = await issue(run, 2);
    const program = folder.run(['serve'], env);
    const origin = (await program.said(/^ready /)).replace('ready ', '');
    const snapshots = { newest, retracted, pinned, damaged };
    return { origin, snapshots, token, emptyToken, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function issue(run: (...args: readonly string[]) => Promise<string>, account: number): Promise<string> {
  return await run('token', 'issue', '--account', String(account), '--kind', 'personal', '--name', 'pages');
}

async function fileOf(objects: string, snapshot_id: string, name: string): Promise<string> {
  const builds = join(objects, 'v1/a/1/s');
  const build = (await fs.readdir(builds)).find((each) => each.startsWith(`${snapshot_id}-`)) ?? '';
  return join(builds, build, name);
}
