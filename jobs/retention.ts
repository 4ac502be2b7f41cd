/**
 * Deletes expired snapshots and what dead builds left: `node jobs/retention.ts`, settings from the environment. The
 * same as `crossfoot prune`, told to the log. Exit codes: 0 done, 1 failed or some accounts were left alone, 2 settings.
 */
import { retainByLog } from '../src/commands/retain-by-log.ts';
import { readSettings } from '../src/config.ts';
import { CrossfootError, isCrossfootError } from '../src/errors.ts';
import { createLogger, errorFields } from '../src/log.ts';

let logger = createLogger('info');
try {
  const settings = readSettings(process.env);
  logger = createLogger(settings.logLevel);
  const { ledgerUrl } = settings;
  if (ledgerUrl === null) {
    throw new CrossfootError('settings_invalid', 'Retention needs LEDGER_URL or DATABASE_URL.');
  }
  if (!(await retainByLog(settings, ledgerUrl, logger))) process.exitCode = 1;
} catch (error) {
  logger.error('retention.failed', errorFields(error));
  process.exitCode = isCrossfootError(error) ? error.exitCode : 1;
}
