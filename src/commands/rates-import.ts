/** `crossfoot rates import`: a file of published rates into the ledger, all of it or nothing. */
import { isCrossfootError } from '../errors.ts';
import { type ChangedRate, type ImportedRates, importRates } from '../ledger/import-rates.ts';
import { readSource } from '../rates/read-source.ts';
import { type RateFault, readReferenceRates, type ReferenceRates } from '../rates/reference-csv.ts';
import { parseSource, shownSource } from '../rates/source.ts';
import { withOwner } from './as-owner.ts';
import type { CommandContext } from './command.ts';
import { shownCount } from './shown.ts';
import { unlessStopped } from './stopping.ts';

/** Reads the source, imports it and says what became of it, or everything that is wrong with it. */
export async function importRatesFrom(
  text: string,
  { revise, json }: { readonly revise: boolean; readonly json: boolean },
  context: CommandContext,
): Promise<void> {
  const source = parseSource(text);
  try {
    const read = readReferenceRates(await readSource(source, context.signal));
    context.say(`read ${shownSource(source)}: ${readLine(read)}`);
    const importing = withOwner(context, 'crossfoot rates', (owner) => importRates(owner, read, { revise }));
    const imported = await unlessStopped(context.signal, importing);
    for (const each of imported.revised) context.say(changeLine(each));
    if (json) context.print(JSON.stringify({ first: read.first, last: read.last, ...imported }, null, 2));
    else context.print(importLine(imported));
  } catch (error) {
    if (isCrossfootError(error)) for (const line of detailLines(error.data)) context.say(line);
    throw error;
  }
}

/** What an import did, in one line. */
export function importLine({ added, unchanged, revised }: ImportedRates): string {
  const kept = `${shownCount(added)} rates added, ${shownCount(unchanged)} unchanged`;
  return revised.length === 0 ? kept : `${kept}, ${shownCount(revised.length)} revised`;
}

function readLine({ rates, currencies, first, last }: ReferenceRates): string {
  return `${shownCount(rates.length)} rates of ${currencies.length} currencies, ${first} to ${last}`;
}

/** The faults of a file, or what it contradicts: the data of the errors that say so. */
export function detailLines(data: Readonly<Record<string, unknown>>): readonly string[] {
  const { faults = [], changed = [] } = data as { faults?: RateFault[]; changed?: ChangedRate[] }; // as they are thrown
  return [...faults.map(faultLine), ...changed.map(changeLine)];
}

function faultLine({ line, column, value, expected }: RateFault): string {
  const place = column === null ? `line ${line}` : `line ${line}, ${column}`;
  return `${place}: ${value === null ? 'nothing' : JSON.stringify(value)}, expected ${expected}`;
}

function changeLine({ day, currency, published, found }: ChangedRate): string {
  return `${day} ${currency}: published ${published}, the file has ${found ?? 'none'}`;
}
