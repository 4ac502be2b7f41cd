/** The action of `crossfoot start`: starts the database, loads the fixture company, then starts the server and a worker. */
import { relative } from 'node:path';
import { holdsAccounts } from '../../ledger/accounts.ts';
import { asOwner } from '../../run/as-owner.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { type Databases, requireOwner, openDatabases } from '../../run/databases.ts';
import { loadDemoLedgerOnce } from '../../run/demo/demo-ledger.ts';
import { writeDemoTokens } from '../../run/demo/demo-tokens.ts';
import { refreshRatesBefore } from '../../run/worker/refresh-rates.ts';
import { type Service, startService } from '../../run/server/service.ts';
import { stoppedUnless, unlessStopped } from '../../run/stopping.ts';
import { openWorkshop } from '../../run/worker/workshop.ts';

const APPLICATION = 'crossfoot start';

/** Starts everything, and runs until a signal stops the process. */
export async function start(context: CommandContext): Promise<void> {
  const { settings, logger } = openSettings(context);
  context.follow?.('opening the database');
  await using databases = await openDatabases(settings, context.signal, logger, {
    serves: true,
    creates: true,
  });
  context.follow?.(null);
  const { embedded } = databases;
  context.say(`data in ${settings.dataDir}${embedded ? ', PostgreSQL of its own' : ''}`);
  if (embedded) await loadFirst(databases, settings.dataDir, context);
  // The server listens before the build: a port in use is reported at once, and the last snapshot is served meanwhile.
  await using service = await startService({ settings, ...databases, logger });
  await refreshRatesBefore(settings, databases, context);
  await using workshop = await openWorkshop({ databases, settings, logger, context });
  await unlessStopped(context.signal, Promise.race([workshop.idle, databases.lost]));
  context.follow?.(null);
  if (embedded) await showDemo(databases, service, settings.dataDir, context);
  context.print(`ready ${new URL(service.baseUrl).origin}`);
  await stoppedUnless(context.signal, databases.lost);
}

async function loadFirst(
  databases: Databases,
  dataDir: string,
  { say, follow, signal }: CommandContext,
): Promise<void> {
  let loaded = 0;
  const loading = loadDemoLedgerOnce({
    dataDir,
    ownerUrl: requireOwner(databases),
    holdsAccounts: () => asOwner(databases, APPLICATION, holdsAccounts),
    onLoading: () => {
      say('loading the fixture company');
      follow?.('loading', { rows: 0 });
    },
    onProgress: ({ step, rows }) => {
      if (step === 'written') follow?.('loading', { rows: (loaded += rows) });
    },
  });
  await unlessStopped(signal, loading);
  follow?.(null);
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
