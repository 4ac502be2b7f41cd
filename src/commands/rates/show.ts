/** `crossfoot rates show`: the published days of a currency, and the rate of a period. */
import { CrossfootError } from '../../errors.ts';
import { type Day, firstOfMonth, lastOfMonth } from '../../figures/calendar.ts';
import { openClient } from '../../ledger/connect.ts';
import { type PublishedPeriod, readPublishedPeriod } from '../../ledger/convert/published-rates.ts';
import { readToday } from '../../ledger/clock.ts';
import { aligned } from '../terminal/aligned.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { unlessStopped } from '../../run/stopping.ts';
import { printJson } from '../terminal/print-json.ts';

export interface ShowOptions {
  readonly from?: Day;
  readonly through?: Day;
  readonly json: boolean;
}

interface Shown extends PublishedPeriod {
  readonly currency: string;
  readonly from: Day;
  readonly through: Day;
}

/** Prints the days, their average, and whether the period is complete. */
export async function showRates(
  currency: string,
  options: ShowOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  await using databases = await openDatabases(settings, context.signal);
  const shown = await unlessStopped(context.signal, read(databases.ledgerUrl, currency, options));
  if (options.json) printJson(context.print, shown);
  else for (const line of periodLines(shown)) context.print(line);
}

async function read(ledgerUrl: string, currency: string, options: ShowOptions): Promise<Shown> {
  await using reader = await openClient({
    url: ledgerUrl,
    role: 'cf_reader',
    applicationName: 'crossfoot rates',
  });
  const today = await readToday(reader);
  const from = options.from ?? firstOfMonth(options.through ?? today);
  const through = options.through ?? lastOfMonth(from);
  if (through < from) throw new CrossfootError('usage_invalid', '--through must not be before --from.');
  const period = await readPublishedPeriod(reader, { currency, from, through, today });
  return { currency, from, through, ...period };
}

function periodLines({ currency, from, through, days, mean, complete, cost_rate }: Shown): readonly string[] {
  const period = `${from} to ${through}`;
  const lines = aligned(days.map(({ day, usd_rate }) => [day, usd_rate]));
  if (cost_rate === null) return [`${currency} has no published rate by then, for ${period}`];
  const { usd_rate, usd_rate_from, usd_rate_through } = cost_rate;
  const count = `${days.length} published ${days.length === 1 ? 'day' : 'days'}`;
  const average = mean === null ? `no published day from ${period}` : `average of ${count}: ${mean}`;
  const used = usd_rate_from === usd_rate_through ? usd_rate_from : `${usd_rate_from} to ${usd_rate_through}`;
  return [
    ...lines,
    average,
    complete
      ? `complete: its rate is ${usd_rate}, of ${used}`
      : `not complete before a rate of ${through} or later; until then costs take the latest, ${usd_rate} of ${used}, and value waits`,
  ];
}
