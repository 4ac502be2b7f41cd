/** The action of `crossfoot enqueue`: queues rebuilds, which run before the nightly builds that are queued. */
import { CrossfootError } from '../../errors.ts';
import { requireAgreement } from '../../clock-offsets.ts';
import { clockReader } from '../../run/clocks.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { openQueueSession, type QueueSession } from '../../run/worker/queue-session.ts';

/** Queues a rebuild of the account, or of each reporting account. Throws if the clocks disagree. */
export async function enqueue(account: bigint | undefined, context: CommandContext): Promise<void> {
  const { settings, logger } = openSettings(context);
  await using databases = await openDatabases(settings, context.signal);
  await using session = await openQueueSession({ databases, logger, supervise: false });
  requireAgreement(await clockReader(settings, session.readDatabaseClock)(), 'queued');
  await enqueueIn(session, account, context);
}

async function enqueueIn(
  { queue, readAccounts, reports }: QueueSession,
  account: bigint | undefined,
  { print, say }: CommandContext,
): Promise<void> {
  if (account !== undefined && !(await reports(account))) {
    throw new CrossfootError('not_found', `Account ${account} is not in the ledger, or does not report.`, {
      hint: `npx --no crossfoot account show ${account} shows whether its reporting is on and its plan has API access.`,
    });
  }
  const accounts = account === undefined ? await readAccounts() : [account];
  const running = new Set(await queue.enqueueRebuild(accounts));
  for (const each of accounts) {
    print(`account ${each} ${running.has(each) ? 'is being rebuilt; one more build follows' : 'queued'}`);
  }
  if (accounts.length > 0) say('A worker builds next. npx --no crossfoot status shows each newest snapshot.');
}
