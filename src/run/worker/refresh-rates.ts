/**
 * Refreshes rates before the builds of a night: imports them from `RATES_URL`, then converts the entries of all accounts.
 */
import type { Settings } from '../../config.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { type ImportedRates, importRates } from '../../ledger/convert/import-rates.ts';
import { type Conversion, convert } from '../../ledger/convert/convert.ts';
import type { Logger } from '../../log.ts';
import { readSource } from '../../rates/read-source.ts';
import { readReferenceRates } from '../../rates/reference-csv.ts';
import { parseSource } from '../../rates/source.ts';
import { asOwner } from '../as-owner.ts';
import type { CommandContext } from '../context.ts';
import type { Databases } from '../databases.ts';
import { unlessStopped } from '../stopping.ts';
import { detailLines, importLine, refuseUnfinished } from './rates-report.ts';

interface RefreshedRates {
  readonly imported: ImportedRates;
  readonly conversion: Conversion;
}

/**
 * Imports and converts. If the import fails, entries are still converted at the stored rates, and the error is thrown
 * afterwards.
 */
async function refreshRates(
  ratesUrl: string,
  databases: Pick<Databases, 'ownerUrl'>,
  signal: AbortSignal,
): Promise<RefreshedRates> {
  return await asOwner(databases, 'crossfoot rates', async (owner) => {
    const importing = async (): Promise<ImportedRates> => {
      const bytes = await readSource(parseSource(ratesUrl), signal);
      return await importRates(owner, readReferenceRates(bytes), { revise: false });
    };
    const [read] = await Promise.allSettled([importing()]);
    signal.throwIfAborted();
    const conversion = await convert(owner, { signal });
    if (read.status === 'rejected') throw read.reason;
    refuseUnfinished(conversion);
    return { imported: read.value, conversion };
  });
}

/** Imports and converts for a job, and logs both; throws as `refreshRates`. */
export async function refreshByLog(
  ratesUrl: string,
  databases: Pick<Databases, 'ownerUrl'>,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const { imported, conversion } = await refreshRates(ratesUrl, databases, signal);
  logger.info('rates.imported', { rows: imported.added });
  for (const { account_id, currencies } of conversion.accounts) {
    const rows = currencies.reduce((sum, { written }) => sum + written, 0);
    logger.info('account.converted', { account: account_id, rows });
  }
}

/**
 * Imports and converts for a command that builds afterwards. The command builds even if the rates failed: entries without a
 * rate then have empty dollar figures, not wrong ones. Prints a failure and returns it; null if there was none.
 */
export async function refreshRatesBefore(
  settings: Pick<Settings, 'ratesUrl'>,
  databases: Pick<Databases, 'ownerUrl'>,
  { say, follow, signal }: Pick<CommandContext, 'say' | 'follow' | 'signal'>,
): Promise<CrossfootError | null> {
  if (settings.ratesUrl === null) return null;
  try {
    follow?.('reading and converting rates');
    const refreshing = refreshRates(settings.ratesUrl, databases, signal);
    const { imported, conversion } = await unlessStopped(signal, refreshing);
    follow?.(null);
    const written = conversion.accounts.flatMap(({ currencies }) => currencies.map((each) => each.written));
    say(`rates: ${importLine(imported)}; entries converted: ${written.reduce((sum, each) => sum + each, 0)}`);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    const failure = isCrossfootError(error) ? error : unforeseen(error);
    follow?.(null);
    for (const line of detailLines(failure.data)) say(line);
    say(`rates: ${failure.message}`);
    return failure;
  }
}

function unforeseen(cause: unknown): CrossfootError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CrossfootError('conversion_failed', `Rates were not imported or not converted: ${reason}.`, {
    cause,
  });
}
