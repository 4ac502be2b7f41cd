/** Conversion of amounts, and what a load says to write in place of what it refuses. */
import type { Mutants } from '../mutant.ts';

const ACCOUNT = 'src/ledger/convert/convert-account.ts';
const STATEMENTS = 'src/ledger/convert/statements.ts';
const TABLES = 'src/ledger/convert/converted-tables.ts';
const CASES = ['test/ledger/convert/cases.test.ts'];
const BESIDE = ['test/ledger/convert/beside.test.ts'];
const LIMIT =
  '...amounts.map((amount) => `coalesce(round(abs(${amount}) * k.usd_rate) <= ${MAX_CENTS}, true)`),';
const RATE = '`round(k.usd_rate, 10) > 0 and k.usd_rate < ${MAX_RATE}`,';

export const CONVERSION: Mutants = {
  'left-out-commands': {
    rule: 'a command for rates is named only where it helps',
    file: 'src/figures/left-out-words.ts',
    find: "  return helps.includes('convert') ? [RATE_COMMANDS[1]] : [];",
    replace: '  return RATE_COMMANDS;',
    caughtBy: ['test/run/left-out.test.ts'],
  },
  'left-out-not-converted': {
    rule: 'an amount whose rate is stored waits for a conversion, not for an import',
    file: 'src/ledger/convert/left-out-reasons.ts',
    find: "    ? 'not_converted'",
    replace: "    ? 'waiting'",
    caughtBy: ['test/commands/left-out-surfaces.sweep.test.ts'],
  },
  'left-out-on-the-page': {
    rule: 'the page of the night says which of three things helps',
    file: 'src/serve/pages/left-out-note.ts',
    find: '      ${reasonSentences(reasons).map((each) => html`<p>${each}</p>`)}',
    replace: '',
    caughtBy: ['test/commands/left-out-surfaces.sweep.test.ts'],
  },
  'convert-ai-part': {
    rule: 'the AI part of a cost is held to what the ledger holds exactly',
    file: TABLES,
    find: "provisional: true,\n    amounts: ['t.amount_cents', 't.ai_amount_cents'],",
    replace: "provisional: true,\n    amounts: ['t.amount_cents'],",
    caughtBy: CASES,
  },
  'convert-bill-amounts': {
    rule: 'the amounts of a bill are held to what the ledger holds exactly',
    file: TABLES,
    find: "bills('provider_bills', 'true', ['t.amount_cents', 't.ai_amount_cents']),",
    replace: "bills('provider_bills', 'true', []),",
    caughtBy: CASES,
  },
  'convert-booked-on': {
    rule: 'the booking day of an undated cost is a UTC day, whatever the time zone of the session',
    file: TABLES,
    find: `const BOOKED_ON = "(t.created_at at time zone 'UTC')::date";`,
    replace: `const BOOKED_ON = 't.created_at::date';`,
    caughtBy: ['test/ledger/convert/key-rates.test.ts'],
  },
  'convert-held-rows': {
    rule: 'each row that still has to be written is counted as held',
    file: ACCOUNT,
    find: "left += sum(planned, 'to_write');",
    replace: 'left += 1;',
    caughtBy: BESIDE,
  },
  'convert-held-to-write': {
    rule: 'a row that has its rate is not counted as held',
    file: ACCOUNT,
    find: "left += sum(planned, 'to_write');",
    replace: "left += sum(planned, 'entries');",
    caughtBy: BESIDE,
  },
  'convert-limit': {
    rule: 'an entry may have as many dollars as the ledger holds exactly',
    file: STATEMENTS,
    find: LIMIT,
    replace: LIMIT.replace('<=', '<'),
    caughtBy: CASES,
  },
  'convert-limit-below-zero': {
    rule: 'the limit of dollars holds below zero, too',
    file: STATEMENTS,
    find: LIMIT,
    replace: LIMIT.replace('abs(${amount})', '${amount}'),
    caughtBy: CASES,
  },
  'convert-limit-rounded': {
    rule: 'dollars are rounded before they are held to the limit',
    file: STATEMENTS,
    find: LIMIT,
    replace: LIMIT.replace('round(abs(${amount}) * k.usd_rate)', 'abs(${amount}) * k.usd_rate'),
    caughtBy: CASES,
  },
  'convert-lock-timeout': {
    rule: 'a batch lends its session no time to wait for locks',
    file: ACCOUNT,
    find: `await owner.query("select set_config('app.account_id', $1, true), set_config('lock_timeout', $2, true)", [`,
    replace: `await owner.query("select set_config('app.account_id', $1, true), set_config('lock_timeout', $2, false)", [`,
    caughtBy: BESIDE,
  },
  'convert-no-period-first': {
    rule: 'value without a period is said to have none, whatever its currency',
    file: STATEMENTS,
    find: "when k.starts_on = '${NO_DAY}' then 'no_period'\n          when not k.published then 'no_published_rates'",
    replace:
      "when not k.published then 'no_published_rates'\n          when k.starts_on = '${NO_DAY}' then 'no_period'",
    caughtBy: CASES,
  },
  'convert-progress': {
    rule: 'progress names all rows of a batch beside those written',
    file: ACCOUNT,
    find: "asked.onBatch({ table: batch.table.name, rows: sum(planned, 'entries'), written });",
    replace: "asked.onBatch({ table: batch.table.name, rows: sum(planned, 'to_write'), written });",
    caughtBy: BESIDE,
  },
  'convert-published-by-today': {
    rule: 'a rate dated after today is not published yet',
    file: STATEMENTS,
    find: "select currency, exists (select from service.published_crosses(currency, '-infinity', $4)) as published",
    replace:
      "select currency, exists (select from service.published_crosses(currency, '-infinity', 'infinity')) as published",
    caughtBy: CASES,
  },
  'convert-rate-digits': {
    rule: 'a rate has at most ten digits before its point',
    file: STATEMENTS,
    find: RATE,
    replace: RATE.replace(' < ', ' <= '),
    caughtBy: CASES,
  },
  'convert-rate-zero': {
    rule: 'a rate that is 0 to ten decimals is none',
    file: STATEMENTS,
    find: RATE,
    replace: RATE.replace('> 0', '>= 0'),
    caughtBy: CASES,
  },
  'convert-value-amount': {
    rule: 'the amount of a value entry is held to what the ledger holds exactly',
    file: TABLES,
    find: "provisional: false,\n    amounts: ['t.amount_cents'],",
    replace: 'provisional: false,\n    amounts: [],',
    caughtBy: CASES,
  },
  'convert-value-end': {
    rule: 'a period of value without an end ends with its month',
    file: TABLES,
    find: "endsOn: 'service.cost_ends_on(t.period_start, t.period_end, null)',",
    replace: "endsOn: 'coalesce(t.period_end, t.period_start)',",
    caughtBy: CASES,
  },
  'ended-rates-wait': {
    rule: 'value whose currency has no rates any more is not said to wait for an import',
    file: 'src/ledger/convert/statements.ts',
    find: "outcome = 'waiting' and passed as rates_ended",
    replace: 'false as rates_ended',
    caughtBy: ['test/ledger/convert/ended-rates.test.ts'],
  },
  'ended-rates-early': {
    rule: 'rates have ended only if other currencies have a rate on or after the end of the period',
    file: 'src/ledger/convert/statements.ts',
    find: "    r.usd_rate_provisional, exists (select from service.published_crosses('EUR', a.ends_on, $4)) as passed",
    replace: '    r.usd_rate_provisional, true as passed',
    caughtBy: ['test/ledger/convert/ended-rates.test.ts'],
  },
  'usage-units-as-tokens': {
    rule: 'Units are tokens only where the meter says that it counts tokens',
    file: 'src/ledger/focus/usage-of-charge.ts',
    find: '      metered.meter.test(meterOf(meter, at))',
    replace: '      true',
    caughtBy: ['test/ledger/focus/usage-of-charge.test.ts'],
  },
  'usage-model-of-service': {
    rule: 'a model of the marketplace of Bedrock is named by its service',
    file: 'src/focus/usage-columns.ts',
    find: '    modelInService: /^(.+?) \\(Amazon Bedrock Edition\\)$/,',
    replace: '',
    caughtBy: ['test/ledger/focus/usage-of-charge.test.ts'],
  },
  'usage-meter-length': {
    rule: 'a long text is no meter',
    file: 'src/ledger/focus/usage-of-charge.ts',
    find: "  return meter.length > MAX_METER_CHARACTERS ? '' : meter;",
    replace: '  return meter.length > MAX_METER_CHARACTERS ? meter.slice(0, MAX_METER_CHARACTERS) : meter;',
    caughtBy: ['test/ledger/focus/usage-of-charge.test.ts'],
  },
  'usage-partial-price': {
    rule: 'a sum with a quantity or a cost missing has no unit cost',
    file: 'src/figures/usage.ts',
    find: '  return partial || quantity === null',
    replace: '  return quantity === null',
    caughtBy: ['test/figures/usage.test.ts'],
  },
  'usage-partial-part': {
    rule: 'a sum of usage is partial if any of its parts is',
    file: 'src/figures/usage.ts',
    find: '  const partial = a.partial || b.partial;',
    replace: '  const partial = a.partial && b.partial;',
    caughtBy: ['test/figures/usage.test.ts'],
  },
  'load-day-with-points': {
    rule: 'a day with points begins with the day of the month',
    file: 'src/ledger/sources/other-days.ts',
    find: "    return between === '.' ? both.slice(0, 1) : both;",
    replace: '    return both;',
    caughtBy: ['test/ledger/sources/plain-forms.test.ts'],
  },
  'load-brackets': {
    rule: 'an amount in brackets is proposed below zero',
    file: 'src/ledger/sources/plain-forms.ts',
    find: '  return isNegative || minus || ends ? `-${bare}` : bare;',
    replace: '  return minus || ends ? `-${bare}` : bare;',
    caughtBy: ['test/ledger/sources/plain-forms.test.ts'],
  },
  'load-lines-above-header': {
    rule: 'a first line without any column says to delete the lines above the header',
    file: 'src/ledger/load/header.ts',
    find: '      refuse(name, isHeader || index > 0 ? known : `${known}; delete the lines above the header`);',
    replace: '      refuse(name, known);',
    caughtBy: ['test/ledger/sources/headings.test.ts'],
  },
  'load-table-of-a-file': {
    rule: '--table names the table of one file, and of no folder',
    file: 'src/ledger/sources/inputs.ts',
    find: '  if (others.length === 0 && !(await isFolder(path))) return table;',
    replace: '  if (others.length === 0) return table;',
    caughtBy: ['test/ledger/sources/inputs.test.ts'],
  },
  'usage-of-file-twice': {
    rule: 'a quantity of a file counts only where the bill does not count the unit itself',
    file: 'schema/views/ai_usage.sql',
    find: 'where not u.superseded;',
    replace: 'where true;',
    caughtBy: ['test/ledger/focus/usage.test.ts'],
  },
  'usage-rest-of-old-bill': {
    rule: 'usage that moves to another bill changes the rest of the bill that it had',
    file: 'schema/ledger/0047-usage-rests.sql',
    find: 'create trigger settle_update_of_old after update on ledger.usage referencing old table as changed',
    replace:
      'create trigger settle_update_of_old after update on ledger.usage referencing new table as changed',
    caughtBy: ['test/ledger/focus/usage-rests.test.ts'],
  },
  'usage-rests-at-once': {
    rule: 'two transactions that change the use of one bill both count in its rest',
    file: 'schema/ledger/0049-usage-in-one-pass.sql',
    find: '    where (b.account_id, b.id) in (select * from unnest(accounts, bills)) order by b.account_id, b.id for no key update;',
    replace:
      '    where (b.account_id, b.id) in (select * from unnest(accounts, bills)) order by b.account_id, b.id;',
    caughtBy: ['test/ledger/focus/usage-rests.test.ts'],
  },
  'usage-rest-deleted': {
    rule: 'a rest that a bill has no more is no row',
    file: 'schema/ledger/0049-usage-in-one-pass.sql',
    find: '      where r.account_id = p.account_id and r.bill_id = p.bill_id and r.is_ai = p.is_ai and p.cents = 0',
    replace:
      '      where r.account_id = p.account_id and r.bill_id = p.bill_id and r.is_ai = p.is_ai and false',
    caughtBy: ['test/ledger/focus/usage-rests.test.ts'],
  },
  'close-names-provisional-costs': {
    rule: 'closing a month names its costs at a provisional rate, which the close makes final',
    file: 'src/ledger/months.ts',
    find: '          where account_id = $1 and booked_month = $2::date and usd_rate_provisional) as provisional,',
    replace: '          where account_id = $1 and booked_month = $2::date and false) as provisional,',
    caughtBy: ['test/commands/people/month.test.ts'],
  },
};
