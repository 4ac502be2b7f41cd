/**
 * Refreshes rates before the builds of a night: imports them from the source of `ratesPlan`, then converts the entries of all accounts.
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
import type { Databases } from '../opened-databases.ts';
import { readSampleRates } from '../demo/demo-facts.ts';
import { unlessStopped } from '../stopping.ts';
import { type RatesPlan, ratesPlan } from './rates-plan.ts';
import { detailLines, importLine, refuseUnfinished } from './rates-report.ts';

interface RefreshedRates {
  /** Null: the source of the default could not be read, for the reason in `unread`. */
  readonly imported: ImportedRates | null;
  readonly unread: CrossfootError | null;
  readonly conversion: Conversion;
}

/**
 * Imports and converts. If the import fails, entries are still converted at the stored rates, and the error is thrown
 * afterwards. A source that no setting names may be unreadable, such as without a network: that is no failure.
 */
async function refreshRates(
  { url, byDefault, limits }: RatesPlan,
  databases: Pick<Databases, 'ownerUrl' | 'embedded'>,
  signal: AbortSignal,
): Promise<RefreshedRates> {
  return await asOwner(databases, 'crossfoot rates', async (owner) => {
    const importing = async (): Promise<ImportedRates> => {
      const read = readReferenceRates(await readSource(parseSource(url), signal, limits));
      const sample = databases.embedded ? await readSampleRates() : [];
      return await importRates(owner, read, { revise: false, sample });
    };
    const [read] = await Promise.allSettled([importing()]);
    signal.throwIfAborted();
    const conversion = await convert(owner, { signal });
    const unread = read.status === 'rejected' && byDefault ? unreadable(read.reason) : null;
    if (read.status === 'rejected' && unread === null) throw read.reason;
    refuseUnfinished(conversion);
    return { imported: read.status === 'fulfilled' ? read.value : null, unread, conversion };
  });
}

/** The error of a source that did not answer, or that answered with other than rates; null for any other error. */
function unreadable(error: unknown): CrossfootError | null {
  return isCrossfootError(error, 'rates_not_read') || isCrossfootError(error, 'rates_rejected')
    ? error
    : null;
}

/** Imports and converts for a job, and logs both; throws as `refreshRates`. */
export async function refreshByLog(
  plan: RatesPlan,
  databases: Pick<Databases, 'ownerUrl' | 'embedded'>,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const { imported, unread, conversion } = await refreshRates(plan, databases, signal);
  if (imported !== null) logger.info('rates.imported', { rows: imported.added });
  if (unread !== null) logger.info('rates.unread', { code: unread.code, message: unread.message });
  for (const { account_id, currencies } of conversion.accounts) {
    const rows = currencies.reduce((sum, { written }) => sum + written, 0);
    if (rows > 0 || unread === null) logger.info('account.converted', { account: account_id, rows });
  }
}

/**
 * Imports and converts for a command that builds afterwards. The command builds even if the rates failed: entries without a
 * rate then have empty dollar figures, not wrong ones. Prints a failure and returns it; null if there was none.
 */
export async function refreshRatesBefore(
  settings: Pick<Settings, 'ratesUrl'>,
  databases: Pick<Databases, 'ownerUrl' | 'embedded'>,
  { say, follow, signal }: Pick<CommandContext, 'say' | 'follow' | 'signal'>,
  published?: Parameters<typeof ratesPlan>[2],
): Promise<CrossfootError | null> {
  try {
    const plan = await ratesPlan(settings, databases, published);
    if (plan === null) return null;
    follow?.('reading and converting rates');
    const refreshing = refreshRates(plan, databases, signal);
    const { imported, unread, conversion } = await unlessStopped(signal, refreshing);
    follow?.(null);
    if (unread !== null) say(`rates: the stored rates stay: ${unread.message} RATES_URL=off reads none.`);
    if (imported === null) return null;
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
