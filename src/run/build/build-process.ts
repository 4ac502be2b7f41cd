/** How a process of builds is started, so that it holds no more memory than it uses. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../config.ts';
import type { CommandContext } from '../context.ts';
import type { Databases } from '../databases.ts';

const ENTRY = fileURLToPath(new URL('../../../jobs/build.ts', import.meta.url));

// A young generation of 4 MB instead of 16: rows live for a moment, and of a larger one all is kept. At 200,000
// entries the whole build then held 389 MB at most instead of 536, in the same time.
// The heap ends where it would be a fault: rows are never held, and a build of a million entries stays far below it.
const FLAGS: readonly string[] = ['--max-semi-space-size=4', '--max-old-space-size=512'];

/** How memory is given back, which matters more to those that build than a fault for a page that is asked for again. */
export const ALLOCATION = {
  // For glibc, where buffers that come and go leave holes that are never given back: a large one is mapped by itself,
  // and threads share their heaps. At the same size 60 MB less before the audit, for no more CPU.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // For the audit's engine, which has an allocator of its own: what it freed is given back after a tenth of a second. An
  // audit of a million entries then peaks at 304 MB, not at anything from 330 to 430. At once would take half as long again.
  DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:100,muzzy_decay_ms:0',
};

// Node keeps what it made of our modules there: started again, a build takes 0.23 s of CPU to load instead of 0.6 s, and
// 28 MB less, because nothing has to be read as TypeScript. Below the data folder, where nobody else can write.
const COMPILED = 'compiled';

/** Starts a process that builds what it is asked for by messages, one account after the other. */
export function startBuilder(env: Readonly<Record<string, string | undefined>>): ChildProcess {
  const dataDir = env['DATA_DIR'];
  const cache = dataDir === undefined ? {} : { NODE_COMPILE_CACHE: join(dataDir, COMPILED) };
  return fork(ENTRY, {
    env: { ...ALLOCATION, ...cache, ...env },
    execArgv: [...FLAGS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The environment of a build: the embedded server's login is new at every start, so it is told where its parent reads. */
export function buildEnvironment({
  env,
  settings,
  ledgerUrl,
  serviceUrl,
}: Pick<CommandContext, 'env'> &
  Pick<Databases, 'ledgerUrl' | 'serviceUrl'> & { readonly settings: Settings }): Record<
  string,
  string | undefined
> {
  return {
    ...env,
    LEDGER_URL: ledgerUrl,
    DATABASE_URL: serviceUrl,
    OBJECT_STORE: settings.objectStore.href,
    DATA_DIR: settings.dataDir,
  };
}
