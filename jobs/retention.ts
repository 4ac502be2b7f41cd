/**
 * Deletes expired snapshots and what dead builds left: `node jobs/retention.ts`, settings from the environment. The
 * same as `crossfoot prune`, told to the log. Exit codes: 0 done, 1 failed or some accounts were left alone, 2 settings.
 */
import { pruneStore } from '../src/commands/prune-store.ts';
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
  const { faults } = await pruneStore({
    settings,
    ledgerUrl,
    account_id: null,
    dryRun: false,
    onRemoval: (account, { snapshot_id, why }) =>
      logger.info('files.removed', { account, snapshot: snapshot_id, step: why }),
    onFault: (account, fault) => logger.error('retention.skipped', { account, ...errorFields(fault) }),
    onSweep: (file) => logger.info('leftover.removed', { file }),
  });
  if (faults > 0) process.exitCode = 1;
} catch (error) {
  logger.error('retention.failed', errorFields(error));
  process.exitCode = isCrossfootError(error) ? error.exitCode : 1;
}
