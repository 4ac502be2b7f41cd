/** The action of `crossfoot moment`: writes the plan of a moment, and holds the moment open until a signal or its time ends it. */
import { rm } from 'node:fs/promises';
import { applicationUrl } from '../../config.ts';
import { CrossfootError } from '../../errors.ts';
import { requireAccount, requireReporting } from '../../ledger/accounts.ts';
import { keepAwake } from '../../ledger/moment/keep-awake.ts';
import { builderSessions } from '../../run/builders/builder-sessions.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { CLOCK } from '../../run/machine.ts';
import { atMoment } from '../../snapshot/builder/build-moment.ts';
import { planMoment } from '../../snapshot/builder/moment-plan.ts';
import { createNewFile } from '../terminal/new-file.ts';

const MINUTE_MS = 60_000;

export interface MomentOptions {
  readonly account: bigint;
  /** The maximum number of ranges of a table. */
  readonly ranges: number;
  /** After so many minutes the moment is closed. */
  readonly minutes: number;
  /** The path of the plan. */
  readonly to: string;
}

/** Prints the path of the plan once the moment can be read. The file is removed with the end of the moment. */
export async function holdMoment(
  { account: account_id, ranges, minutes, to }: MomentOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const { signal, print, say } = context;
  await using databases = await openDatabases(settings, signal);
  await using sessions = builderSessions({ ...settings, ledgerUrl: databases.ledgerUrl });
  const { reader } = sessions;
  if (reader === null)
    throw new CrossfootError('settings_invalid', 'A moment needs LEDGER_URL or DATABASE_URL.');
  await using file = await createNewFile(to, 'moment');
  let isOpen = false;
  try {
    await atMoment({ account_id, signal }, { connect: () => reader.lend() }, async (client, moment) => {
      await requireAccount(client, account_id);
      await requireReporting(client, account_id);
      const app_url = applicationUrl(settings);
      const plan = await planMoment(client, moment, { account_id, app_url, ranges });
      await file.writeFile(`${JSON.stringify(plan, null, 2)}\n`);
      isOpen = true;
      print(to);
      say(`The moment of account ${account_id} is open for ${minutes} minutes. Ctrl-C closes it.`);
      await keepAwake(
        client,
        CLOCK.sleep(minutes * MINUTE_MS, signal).catch(() => undefined),
      );
    });
  } catch (error) {
    // A signal also closes the session: that is how a moment ends.
    if (!isOpen || !signal.aborted) throw error;
  } finally {
    await rm(to, { force: true });
    if (isOpen) say(`The moment is closed, and ${to} is removed.`);
  }
}
