/**
 * Builds the fourteen tables of one account, without companion tables, FOCUS file and signatures: a child process that is
 * asked and answers as `jobs/build.ts` does. `DATA_DIR` is its folder.
 */
import { once } from 'node:events';
import type { BuildMessage, BuildRequest } from '../../../src/run/builders/messages.ts';
import { openSteppedBuilder } from '../ledgers/stepped-builds.ts';

function tell(message: BuildMessage): void {
  process.send?.(message);
}

const [{ account }] = (await once(process, 'message')) as [BuildRequest];
const { LEDGER_URL: ledgerUrl = '', DATA_DIR: folder = '' } = process.env;
await using builder = await openSteppedBuilder({ ledgerUrl }, folder, {
  onEvent: (event) => tell({ event }),
});
await builder.build(BigInt(account));
tell({ ended: { exit_code: 0, rss_bytes: process.memoryUsage.rss() } });
