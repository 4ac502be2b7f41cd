/** `crossfoot rates import`: imports a file of published rates into the ledger, in one transaction. */
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { type AcceptedRate, importRates } from '../../ledger/convert/import-rates.ts';
import { didYouMean } from '../../ledger/sources/nearest-file.ts';
import { readSource } from '../../rates/read-source.ts';
import { readReferenceRates, type ReferenceRates } from '../../rates/reference-csv.ts';
import { type RateSource, shownSource } from '../../rates/source.ts';
import { withOwner } from '../../run/as-owner.ts';
import type { CommandContext } from '../../run/context.ts';
import { readSampleRates } from '../../run/demo/demo-facts.ts';
import { shownCountOf } from '../../format.ts';
import { unlessStopped } from '../../run/stopping.ts';
import { changeLine, detailLines, importLine } from '../../run/worker/rates-report.ts';
import { hasCode } from '../../store/directories.ts';
import { printJson } from '../terminal/print-json.ts';

const RATES = /\.(?:csv|zip)$/i;

export interface ImportOptions {
  readonly revise: boolean;
  readonly acceptRate?: readonly AcceptedRate[];
  readonly json: boolean;
}

/** Reads and imports the source; prints the result, or every fault of the file. */
export async function importRatesFrom(
  source: RateSource,
  { revise, acceptRate = [], json }: ImportOptions,
  context: CommandContext,
): Promise<void> {
  try {
    context.follow?.(`reading ${shownSource(source)}`);
    const read = readReferenceRates(await readNamed(source, context.signal));
    context.say(`read ${shownSource(source)}: ${readLine(read)}`);
    context.follow?.('storing rates');
    const importing = withOwner(context, 'crossfoot rates', async (owner, { embedded }) => {
      const sample = embedded ? await readSampleRates() : [];
      return await importRates(owner, read, { revise, accepted: acceptRate, sample });
    });
    const imported = await unlessStopped(context.signal, importing);
    context.follow?.(null);
    for (const each of imported.revised) context.say(changeLine(each));
    if (json) printJson(context.print, { first: read.first, last: read.last, ...imported });
    else context.print(importLine(imported));
  } catch (error) {
    if (isCrossfootError(error)) for (const line of detailLines(error.data)) context.say(line);
    throw error;
  }
}

/** Reads the source. The error of a missing file asks for the file of the nearest name. */
async function readNamed(source: RateSource, signal: AbortSignal): Promise<Buffer> {
  try {
    return await readSource(source, signal);
  } catch (error) {
    if (source.kind !== 'file' || !isCrossfootError(error, 'rates_not_read')) throw error;
    if (!hasCode(error.cause, 'ENOENT')) throw error;
    const end = await didYouMean(source.path, { files: (name) => RATES.test(name), folders: false });
    throw new CrossfootError('rates_not_read', error.message.replace(/\.$/, end), {
      hint: 'Name a file that is there, a CSV or a zip of rates. No rate was changed.',
      cause: error,
    });
  }
}

function readLine({ rates, currencies, first, last }: ReferenceRates): string {
  return `${shownCountOf(rates.length, 'rate')} of ${shownCountOf(currencies.length, 'currency', 'currencies')}, ${first} to ${last}`;
}
