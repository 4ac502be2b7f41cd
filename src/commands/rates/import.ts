/** `crossfoot rates import`: imports a file of published rates into the ledger, in one transaction. */
import { isCrossfootError } from '../../errors.ts';
import { type AcceptedRate, importRates } from '../../ledger/convert/import-rates.ts';
import { readSource } from '../../rates/read-source.ts';
import { readReferenceRates, type ReferenceRates } from '../../rates/reference-csv.ts';
import { type RateSource, shownSource } from '../../rates/source.ts';
import { withOwner } from '../../run/as-owner.ts';
import type { CommandContext } from '../../run/context.ts';
import { readSampleRates } from '../../run/demo/demo-facts.ts';
import { shownCount } from '../../format.ts';
import { unlessStopped } from '../../run/stopping.ts';
import { changeLine, detailLines, importLine } from '../../run/worker/rates-report.ts';
import { printJson } from '../terminal/print-json.ts';

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
    const read = readReferenceRates(await readSource(source, context.signal));
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

function readLine({ rates, currencies, first, last }: ReferenceRates): string {
  return `${shownCount(rates.length)} rates of ${currencies.length} currencies, ${first} to ${last}`;
}
