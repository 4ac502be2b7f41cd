/** Starts a builder process with options that keep its memory small. */
import { readSecretFiles } from '../secret-files.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../config.ts';
import type { CommandContext } from '../context.ts';
import type { Databases } from '../opened-databases.ts';
import { openSeeds } from '../signing.ts';

const ENTRY = fileURLToPath(new URL('../../../jobs/build.ts', import.meta.url));

// A young generation of 4 MB instead of 16: rows are short-lived, and Node never returns the memory of a larger one. A
// build of 200,000 entries then held at most 389 MB instead of 536, in the same time.
// The heap limit catches faults: rows are never held, so a build of a million entries stays far below it.
export const BUILDER_FLAGS: readonly string[] = ['--max-semi-space-size=4', '--max-old-space-size=512'];

/** Settings of the allocators: returning memory matters more to a builder than the cost of requesting it again. */
export const ALLOCATION = {
  // For glibc, whose heaps keep holes after buffers are freed: large buffers are mapped one by one, and threads share
  // heaps. At the same size this saves 60 MB before the audit and costs no more CPU.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // For the allocator of DuckDB, the audit engine: it returns freed memory after 0.1 s. An audit of a million entries then
  // peaks at 304 MB instead of 330 to 430. Returning it immediately would take half as long again.
  DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:100,muzzy_decay_ms:0',
};

// Node's compile cache: a build then loads in 0.23 s of CPU instead of 0.6 s and needs 28 MB less, because no TypeScript
// is parsed. It lies below the data folder, where no other user can write.
const COMPILED = 'compiled';

/**
 * Starts a process that builds the accounts it is sent as messages, one after the other; `entry` is its program. Its priority
 * is below that of the server and of PostgreSQL, which may answer people on the same machine.
 */
export function startBuilder(env: Readonly<Record<string, string | undefined>>, entry = ENTRY): ChildProcess {
  const dataDir = env['DATA_DIR'];
  const cache = dataDir === undefined ? {} : { NODE_COMPILE_CACHE: join(dataDir, COMPILED) };
  const builder = fork(entry, {
    env: { ...ALLOCATION, ...cache, ...env },
    execArgv: [...BUILDER_FLAGS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  if (builder.pid !== undefined) setPriority(builder.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return builder;
}

/**
 * The environment of a build. The passwords of an embedded server are new at each start, so the parent passes its URLs on,
 * and the signing key of its folder, which a build with a URL would not look for.
 */
export async function buildEnvironment({
  env,
  settings,
  ledgerUrl,
  serviceUrl,
}: Pick<CommandContext, 'env'> &
  Pick<Databases, 'ledgerUrl' | 'serviceUrl'> & { readonly settings: Settings }): Promise<
  Record<string, string | undefined>
> {
  return {
    ...readSecretFiles(env),
    LEDGER_URL: ledgerUrl,
    DATABASE_URL: serviceUrl,
    OBJECT_STORE: settings.objectStore.href,
    DATA_DIR: settings.dataDir,
    SIGNING_KEYS: (await openSeeds(settings.signing)).join(),
  };
}
