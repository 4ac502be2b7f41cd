/** `crossfoot enqueue`: asks the workers for a snapshot before anything else that waits. */
import type { Command } from 'commander';
import { CrossfootError } from '../../errors.ts';
import { requireAgreement } from '../../clock-offsets.ts';
import { clockReader } from '../../run/clocks.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { parseId } from '../terminal/id-argument.ts';
import { openQueueSession, type QueueSession } from '../../run/worker/queue-session.ts';

const EXAMPLES = `
Examples:
  crossfoot enqueue --account 1
  crossfoot enqueue`;

/** Adds the command to the program. */
export function addEnqueueCommand(program: Command, context: CommandContext): void {
  program
    .command('enqueue')
    .description('queue a snapshot of each account that reports, before all nights')
    .option('--account <id>', 'only this account', parseId)
    .addHelpText('after', EXAMPLES)
    .action(async ({ account }: { account?: bigint }) => {
      const { settings, logger } = openSettings(context);
      const databases = await openDatabases(settings, context.signal);
      try {
        const session = await openQueueSession({ databases, logger, supervise: false });
        try {
          requireAgreement(await clockReader(settings, session.readDatabaseClock)(), 'queued');
          await enqueue(session, account, context);
        } finally {
          await session.close();
        }
      } finally {
        await databases.stop();
      }
    });
}

async function enqueue(
  { queue, readAccounts, reports }: QueueSession,
  account: bigint | undefined,
  { print }: CommandContext,
): Promise<void> {
  if (account !== undefined && !(await reports(account))) {
    throw new CrossfootError('not_found', `Account ${account} is not in the ledger, or does not report.`, {
      hint: `npm run cli -- reporting --account ${account} says whether its tables are on.`,
    });
  }
  const accounts = account === undefined ? await readAccounts() : [account];
  const running = new Set(await queue.enqueueRebuild(accounts));
  for (const each of accounts) {
    print(`account ${each} ${running.has(each) ? 'is being rebuilt already' : 'queued'}`);
  }
}
