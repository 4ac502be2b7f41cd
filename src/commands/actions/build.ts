/** The action of `crossfoot build`: builds in child processes, one account after the other. */
import type { Client } from 'pg';
import type { Settings } from '../../config.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { readReportingAccounts } from '../../ledger/accounts.ts';
import { readClock } from '../../ledger/clock.ts';
import { openClient } from '../../ledger/connect.ts';
import { errorFields, openLog } from '../../log.ts';
import { type HandBuild, noteHandBuild } from '../../ops/account-changes.ts';
import type { BuildEvent } from '../../snapshot/builder/events.ts';
import type { WebhookEvent } from '../../webhooks/event.ts';
import { buildEnvironment, startBuilder } from '../../run/builders/build-process.ts';
import { BuildProcesses } from '../../run/builders/build-processes.ts';
import { followBuild } from '../../run/builders/report.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { nightAt } from '../../run/nights.ts';
import { publishingTerms } from '../../run/worker/current-snapshots.ts';
import { openQueueSession } from '../../run/worker/queue-session.ts';
import { refreshRatesBefore } from '../../run/worker/refresh-rates.ts';
import { openWebhooks } from '../../run/worker/webhooks.ts';
import { refusalEvent, enqueueOrLog } from '../../run/builders/webhook-events.ts';

const NO_ACCOUNT =
  'No account reports, so nothing was built. `npx --no crossfoot reporting on --account <id>` switches one on.';

export interface BuildOptions {
  /** If omitted: each reporting account. */
  readonly account?: bigint;
  /** The number of ranges of a long table; if omitted, the setting decides. */
  readonly ranges?: number;
  readonly acceptLedger: boolean;
}

/** Builds the account, or each reporting account; after all attempts it throws the most serious failure. */
export async function build(
  { account, ranges, acceptLedger }: BuildOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  context.follow?.('opening the database');
  await using databases = await openDatabases(settings, context.signal);
  const builds = { ...context, settings, ...databases, ranges: ranges ?? null, acceptLedger };
  if (account !== undefined) return await buildAccounts([account], builds);
  const failure = await refreshRatesBefore(settings, databases, context);
  const accounts = await reportingAccounts(databases.ledgerUrl);
  if (accounts.length === 0) context.say(NO_ACCOUNT);
  await buildAccounts(accounts, builds);
  // Thrown only after the builds: the exit code reports the failed import of rates, but snapshots are published.
  if (failure !== null) throw failure;
}

interface Builds extends CommandContext {
  readonly settings: Settings;
  readonly ledgerUrl: string;
  readonly serviceUrl: string;
  readonly embedded: boolean;
  readonly ranges: number | null;
  readonly acceptLedger: boolean;
}

/** Queues webhook events of audit refusals. Workers deliver these, and find published snapshots by themselves. */
async function enqueueRefusals(refusals: readonly WebhookEvent[], builds: Builds): Promise<void> {
  const logger = openLog(builds.settings);
  try {
    await using webhooks = await openWebhooks({ ...builds, databases: builds, logger });
    for (const refusal of refusals) await enqueueOrLog(webhooks.enqueueEvent, refusal, logger);
  } catch (error) {
    // The login may lack the right to write; reading is enough to build.
    logger.warn('telling.skipped', errorFields(error));
  }
}

/** Builds the accounts in turn; a failed build does not stop the next account. */
async function buildAccounts(accounts: readonly bigint[], builds: Builds): Promise<void> {
  const failures = new Map<bigint, CrossfootError>();
  const refusals: WebhookEvent[] = [];
  const env = await buildEnvironment(builds);
  const processes = new BuildProcesses(() => startBuilder(env));
  const terms = await publishingTerms(builds.settings);
  for (const account of accounts) {
    builds.print(`account ${account}`);
    const follow = followBuild(builds);
    let published: BuildEvent | undefined;
    try {
      const night = builds.embedded ? await nightNow(builds) : null;
      await processes.run({
        account_id: account,
        night: null,
        attended: true,
        ranges: builds.ranges,
        accept_ledger: builds.acceptLedger,
        requested_at: null,
        signal: builds.signal,
        onEvent: (event) => {
          follow(event);
          if (event.kind === 'snapshot.published') published = event;
        },
      });
      if (published?.kind === 'snapshot.published' && night !== null) {
        const { snapshot: snapshot_id, ms } = published;
        await note({ account_id: account, night, snapshot_id, terms, ms }, builds);
      }
    } catch (error) {
      builds.follow?.(null);
      if (!isCrossfootError(error)) throw error;
      // With a single account the program prints the error itself, as for every command.
      if (accounts.length > 1) {
        builds.say(`  ${error.message}`);
        if (error.hint !== undefined) builds.say(`  ${error.hint}`);
      }
      failures.set(account, error);
      const refusal = refusalEvent({ account_id: account, night: await nightNow(builds) }, error);
      if (refusal !== null) refusals.push(refusal);
    }
  }
  if (refusals.length > 0) await enqueueRefusals(refusals, builds);
  // The most serious failure decides the exit code: an audit refusal before any other failure.
  const [worst] = [...failures.values()].toSorted((a, b) => b.exitCode - a.exitCode);
  if (worst === undefined) return;
  if (accounts.length === 1) throw worst;
  const failed = [...failures.keys()].join(', ');
  throw new CrossfootError(
    worst.code,
    `${failures.size} of ${accounts.length} accounts got no new snapshot: ${failed}.`,
    { cause: worst, hint: '`npx --no crossfoot why --account <id>` says how far each came.' },
  );
}

/** Notes the build for the next `start`, which then does not build the account again. */
async function note(published: HandBuild, builds: Builds): Promise<void> {
  const logger = openLog(builds.settings);
  try {
    // The night changed during the build: the snapshot may be of either.
    if (published.night !== (await nightNow(builds))) return;
    await using session = await openQueueSession({ databases: builds, logger, supervise: false });
    await noteHandBuild(session.service, published);
  } catch (error) {
    // Without the note the next `start` builds once more.
    logger.warn('queue.lost', errorFields(error));
  }
}

async function nightNow({ settings, ledgerUrl }: Builds): Promise<string> {
  return nightAt(settings, await asReader(ledgerUrl, readClock)).day;
}

/** The reporting accounts, read from the ledger. */
export function reportingAccounts(ledgerUrl: string): Promise<readonly bigint[]> {
  return asReader(ledgerUrl, readReportingAccounts);
}

async function asReader<Result>(
  ledgerUrl: string,
  run: (client: Client) => Promise<Result>,
): Promise<Result> {
  await using client = await openClient({
    url: ledgerUrl,
    role: 'cf_reader',
    applicationName: 'crossfoot build',
  });
  return await run(client);
}
