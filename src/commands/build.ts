/** `crossfoot build`: one snapshot for each account that reports, or for one. */
import type { Command } from 'commander';
import type { Settings } from '../config.ts';
import { type CrossfootError, isCrossfootError } from '../errors.ts';
import { readReportingAccounts } from '../ledger/accounts.ts';
import { openClient } from '../ledger/connect.ts';
import { buildInChild } from './build-child.ts';
import { buildDoing, buildLine } from './build-report.ts';
import { type CommandContext, openSettings } from './command.ts';
import { openDatabases } from './databases.ts';
import { parseId } from './id-argument.ts';
import { refreshRatesBefore } from './refresh-rates.ts';

const EXAMPLES = `
Examples:
  crossfoot build
  crossfoot build --account 1`;

/** Adds the command to the program. */
export function addBuildCommand(program: Command, context: CommandContext): void {
  program
    .command('build')
    .description('build, audit and publish a snapshot of each account that reports')
    .option('--account <id>', 'only this account', parseId)
    .addHelpText('after', EXAMPLES)
    .action(async ({ account }: { account?: bigint }) => {
      const { settings } = openSettings(context);
      const databases = await openDatabases(settings, context.signal);
      try {
        const builds = { ...context, settings, ledgerUrl: databases.ledgerUrl };
        if (account !== undefined) return await buildAccounts([account], builds);
        const failure = await refreshRatesBefore(settings, databases, context);
        await buildAccounts(await reportingAccounts(databases.ledgerUrl), builds);
        // After the builds: whoever watches exit codes hears of it, and the snapshots are there.
        if (failure !== null) throw failure;
      } finally {
        await databases.stop();
      }
    });
}

interface Builds extends CommandContext {
  readonly settings: Settings;
  readonly ledgerUrl: string;
}

/** Builds one account after the other; one that fails does not keep the others from theirs. */
async function buildAccounts(accounts: readonly bigint[], builds: Builds): Promise<void> {
  const failures: CrossfootError[] = [];
  for (const account of accounts) {
    builds.print(`account ${account}`);
    try {
      await buildInChild({
        accountId: account,
        night: null,
        env: buildEnvironment(builds),
        signal: builds.signal,
        onEvent: (event) => {
          builds.print(buildLine(event));
          const doing = buildDoing(event);
          if (doing !== null) builds.follow?.(doing);
        },
      });
    } catch (error) {
      if (!isCrossfootError(error)) throw error;
      builds.say(`  ${error.message}${error.hint === undefined ? '' : `\n  ${error.hint}`}`);
      failures.push(error);
    }
  }
  // The gravest failure decides the exit code: figures that were refused before anything that merely broke.
  const worst = failures.toSorted((a, b) => b.exitCode - a.exitCode)[0];
  if (worst !== undefined) throw worst;
}

/** The accounts to build, asked of the ledger. */
export async function reportingAccounts(ledgerUrl: string): Promise<readonly bigint[]> {
  const client = await openClient({
    url: ledgerUrl,
    role: 'cf_reader',
    applicationName: 'crossfoot build',
    onError: () => undefined,
  });
  try {
    return await readReportingAccounts(client);
  } finally {
    await client.end();
  }
}

/** The environment of a build: the embedded server's login is new at every start, so it is told where its parent reads. */
export function buildEnvironment({
  env,
  settings,
  ledgerUrl,
}: Pick<Builds, 'env' | 'ledgerUrl' | 'settings'>): Record<string, string | undefined> {
  return {
    ...env,
    LEDGER_URL: ledgerUrl,
    OBJECT_STORE: settings.objectStore.href,
    DATA_DIR: settings.dataDir,
  };
}
