/** Removes the spools of killed builds when a building process starts. */
import * as fs from 'node:fs/promises';
import type { Settings } from '../../config.ts';
import { errorFields, type Logger } from '../../log.ts';
import { sweepSpools } from '../../snapshot/spool/sweep.ts';
import { spoolFolder } from '../databases.ts';
import { CLOCK } from '../machine.ts';

/** Removes the spools of every account. A folder that cannot be removed is logged and stops no build. */
export async function clearSpools(settings: Pick<Settings, 'dataDir'>, logger: Logger): Promise<void> {
  try {
    const sweep = { fs, root: spoolFolder(settings), now: CLOCK.now(), dryRun: false };
    for await (const file of sweepSpools(sweep)) logger.info('leftover.removed', { file });
  } catch (error) {
    logger.warn('spool.left', errorFields(error));
  }
}
