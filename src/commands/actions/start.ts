/** The action of `crossfoot start`: starts the database, loads the fixture company, then starts the server and a worker. */
import { relative } from 'node:path';
import type { Settings } from '../../config.ts';
import { CrossfootError } from '../../errors.ts';
import { holdsAccounts } from '../../ledger/accounts.ts';
import { asOwner } from '../../run/as-owner.ts';
import type { buildEnvironment } from '../../run/builders/build-process.ts';
import type { processesByEnvironment } from '../../run/builders/current-processes.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { requireOwner, openDatabases } from '../../run/databases.ts';
import type { Databases } from '../../run/opened-databases.ts';
import { loadDemoLedgerOnce } from '../../run/demo/demo-ledger.ts';
import { writeDemoTokens } from '../../run/demo/demo-tokens.ts';
import { refreshRatesBefore } from '../../run/worker/refresh-rates.ts';
import type { Service, startService } from '../../run/server/service.ts';
import { stoppedUnless, unlessStopped } from '../../run/stopping.ts';
import type { startLocalWorker, LocalWorker } from '../../run/worker/local-worker.ts';
import type { createWorkerMetrics } from '../../run/worker/metrics.ts';
import { issuerOf } from '../../serve/auth/well-known.ts';

const APPLICATION = 'crossfoot start';

/** Starts everything, and runs until a signal stops the process. */
export async function start(context: CommandContext): Promise<void> {
  const { settings, logger } = openSettings(context);
  context.follow?.('opening the database');
  const opening = openDatabases(settings, context.signal, logger, { serves: true, creates: true });
  // The code of the server and of the worker is loaded while PostgreSQL makes its files and starts.
  const loading = loadCode();
  loading.catch(() => undefined); // it is awaited below, if the database opens
  await using databases = await opening;
  const code = await loading;
  context.follow?.(null);
  const { embedded } = databases;
  context.say(`data in ${settings.dataDir}${embedded ? ', PostgreSQL of its own' : ''}`);
  const { outlast } = databases;
  const processes = code.processesByEnvironment(() =>
    code.buildEnvironment({ ...context, settings, ...databases }),
  );
  const prepare = async (): Promise<void> => (await processes()).prepare();
  if (embedded) await outlast(() => loadFirst(databases, settings.dataDir, context, prepare));
  const metrics = code.createWorkerMetrics();
  // The server listens before the build: a port in use is reported at once, and the last snapshot is served meanwhile.
  await using service = await outlast(() =>
    code.startService({ settings, ...databases, logger, workerMetrics: metrics.metrics }),
  );
  await refreshFirst(settings, databases, context);
  await using _ = await outlast(() =>
    openIdle(code, { databases, settings, logger, context, metrics, service, processes }),
  );
  context.follow?.(null);
  if (embedded) await outlast(() => showDemo(databases, service, settings.dataDir, context));
  context.print(`ready ${issuerOf(service.baseUrl)}`);
  await stoppedUnless(context.signal, databases.lost);
}

interface Code {
  readonly buildEnvironment: typeof buildEnvironment;
  readonly processesByEnvironment: typeof processesByEnvironment;
  readonly startService: typeof startService;
  readonly startLocalWorker: typeof startLocalWorker;
  readonly createWorkerMetrics: typeof createWorkerMetrics;
}

async function loadCode(): Promise<Code> {
  const [{ buildEnvironment }, { processesByEnvironment }, { startService }, worker, metrics] =
    await Promise.all([
      import('../../run/builders/build-process.ts'),
      import('../../run/builders/current-processes.ts'),
      import('../../run/server/service.ts'),
      import('../../run/worker/local-worker.ts'),
      import('../../run/worker/metrics.ts'),
    ]);
  const { startLocalWorker } = worker;
  const { createWorkerMetrics } = metrics;
  return { buildEnvironment, processesByEnvironment, startService, startLocalWorker, createWorkerMetrics };
}

async function loadFirst(
  databases: Databases,
  dataDir: string,
  { say, follow, signal }: CommandContext,
  prepare: () => Promise<void>,
): Promise<void> {
  let loaded = 0;
  const loading = loadDemoLedgerOnce({
    dataDir,
    ownerUrl: requireOwner(databases),
    holdsAccounts: () => asOwner(databases, APPLICATION, holdsAccounts),
    onLoading: () => {
      say('loading the fixture company');
      // The code of a build is loaded beside. If its process cannot start, the worker says so.
      prepare().catch(() => undefined);
      follow?.('loading', { rows: 0 });
    },
    onProgress: ({ step, rows }) => {
      if (step === 'written') follow?.('loading', { rows: (loaded += rows) });
    },
  });
  await unlessStopped(signal, loading);
  follow?.(null);
}

async function refreshFirst(
  settings: Settings,
  databases: Databases,
  context: CommandContext,
): Promise<void> {
  const refresh = async (): Promise<void> => {
    const failure = await refreshRatesBefore(settings, databases, context);
    if (failure !== null) throw failure;
  };
  // The failure is printed, and the builds go on without new rates.
  await databases.outlast(refresh).catch(() => context.signal.throwIfAborted());
}

/** The worker once no due build is left; rejects if PostgreSQL ended meanwhile. */
async function openIdle(code: Code, parts: Parameters<Code['startLocalWorker']>[0]): Promise<LocalWorker> {
  const { databases, context } = parts;
  const before = databases.ends();
  const worker = await code.startLocalWorker(parts);
  try {
    await unlessStopped(context.signal, Promise.race([worker.idle, databases.lost]));
    // A build that ended with PostgreSQL is still held in the queue. The next worker takes it back at once.
    if (databases.ends() !== before) throw databaseEnded();
    return worker;
  } catch (error) {
    await worker[Symbol.asyncDispose]();
    throw error;
  }
}

function databaseEnded(): CrossfootError {
  return new CrossfootError('database_unreachable', 'PostgreSQL ended while the first builds ran.', {
    hint: 'Read server.log below DATA_DIR/postgres. Then start again.',
  });
}

async function showDemo(
  databases: Databases,
  { baseUrl, reader }: Service,
  dataDir: string,
  { print }: CommandContext,
): Promise<void> {
  const path = await asOwner(databases, APPLICATION, (owner) =>
    writeDemoTokens({ dataDir, baseUrl, owner, reader }),
  );
  print(''); // an empty line separates the command for people from the lines of the log
  print(`try   . ${sourceable(path)}; curl -H "Authorization: Bearer $TOKEN" $BASE_URL/reporting/latest`);
}

/** The path in a form that a shell's `.` command accepts: it begins with `./` or `/`, so PATH is not searched. */
function sourceable(path: string): string {
  const below = relative('.', path);
  return below.startsWith('..') || !below.includes('/') ? path : below;
}
