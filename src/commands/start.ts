/** `npm start`: everything in one place, from an empty folder to a served, audited snapshot. */
import { relative } from 'node:path';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { isCrossfootError } from '../errors.ts';
import { holdsAccounts } from '../ledger/accounts.ts';
import { openClient } from '../ledger/connect.ts';
import { buildAccounts, reportingAccounts } from './build.ts';
import { type CommandContext, openSettings } from './command.ts';
import { type Databases, demandOwner, openDatabases } from './databases.ts';
import { loadDemoLedger } from './demo-ledger.ts';
import { writeDemoTokens } from './demo-tokens.ts';
import { stopped } from './serve.ts';
import { type Service, startService } from './service.ts';

/** Adds the command to the program. */
export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('start a database if none is set, load the fixture company if it is empty, build and serve')
    .action(() => start(context));
}

async function start(context: CommandContext): Promise<void> {
  const { settings, logger } = openSettings(context);
  const databases = await openDatabases(settings);
  const { ledgerUrl, embedded } = databases;
  try {
    context.say(`data in ${settings.dataDir}${embedded ? ', PostgreSQL of its own' : ''}`);
    if (embedded) await loadFirst(databases, context);
    const accounts = await reportingAccounts(ledgerUrl);
    await buildAccounts(accounts, { ...context, settings, ledgerUrl }).catch((error: unknown) => {
      // Each failure has been told already; what was published before is served all the same.
      if (!isCrossfootError(error)) throw error;
    });
    context.signal.throwIfAborted();
    const service = await startService({ settings, ledgerUrl, logger });
    try {
      if (embedded) await showDemo(databases, service, settings.dataDir, context);
      context.print(`ready ${new URL(service.baseUrl).origin}`);
      await stopped(context.signal);
    } finally {
      await service.close();
    }
  } finally {
    await databases.stop();
  }
}

async function loadFirst(databases: Databases, { say }: CommandContext): Promise<void> {
  if (await asOwner(databases, holdsAccounts)) return;
  say('loading the fixture company');
  await loadDemoLedger(demandOwner(databases));
}

async function showDemo(
  databases: Databases,
  { baseUrl, reader }: Service,
  dataDir: string,
  { print }: CommandContext,
): Promise<void> {
  const path = await asOwner(databases, (owner) => writeDemoTokens({ dataDir, baseUrl, owner, reader }));
  print(`try   . ${sourceable(path)}; curl -H "Authorization: Bearer $TOKEN" $BASE_URL/reporting/latest`);
}

/** The path as a shell's `.` finds it: below the working folder as people would type it, never looked up on PATH. */
function sourceable(path: string): string {
  const below = relative('.', path);
  return below.startsWith('..') || !below.includes('/') ? path : below;
}

async function asOwner<Result>(
  databases: Databases,
  run: (owner: Client) => Promise<Result>,
): Promise<Result> {
  const owner = await openClient({
    url: demandOwner(databases),
    role: 'cf_owner',
    applicationName: 'crossfoot start',
    onError: () => undefined,
  });
  try {
    return await run(owner);
  } finally {
    await owner.end();
  }
}
