/** Rows that a load takes: the build publishes them, and no other account hears of them. */
import type { Mutants } from '../mutant.ts';

const BOTH = ['test/snapshot/drawn/both-engines.test.ts'];

export const ROWS: Mutants = {
  'both-future-rate': {
    rule: 'a rate of a day that has not come is refused as it is written, not every night (issue 49)',
    file: 'schema/ledger/0037-rules-of-both-engines.sql',
    find: "when (new.usd_rate_through > (clock_timestamp() at time zone ''UTC'')::date) execute function service.refuse_future_rate()', target);",
    replace: "when (false) execute function service.refuse_future_rate()', target);",
    caughtBy: BOTH,
  },
  'both-formula-inputs': {
    rule: 'an approved figure of a formula without its inputs is refused as it is written, not every night (issue 49)',
    file: 'schema/ledger/0037-rules-of-both-engines.sql',
    find: "check (status <> 'approved' or formula_version_id is null or input_snapshot <> '{}') not valid;",
    replace: 'check (true) not valid;',
    caughtBy: BOTH,
  },
  'both-days-ledger': {
    rule: 'the ledger reads the days of readings in the form that the audit reads (issue 49)',
    file: 'schema/ledger/0037-rules-of-both-engines.sql',
    find: "when recorded ~ '^\\d{4}-\\d{2}-\\d{2}([T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?(Z|[+-](0\\d|1[0-4])(:?[0-5]\\d)?)?)?$'",
    replace: "when recorded ~ '^\\d{4}-\\d{2}-\\d{2}'",
    caughtBy: BOTH,
  },
  'both-days-audit': {
    rule: 'the audit reads the days of readings in the form that the ledger reads (issue 49)',
    file: 'schema/audit/25-check-basis.sql',
    find: 'and recorded_day(coalesce(input.input_period_start, input.observed_at)) >= utc_day(went_live_at) then 3',
    replace:
      'and utc_day(try_cast(coalesce(input.input_period_start, input.observed_at) as timestamptz)) >= utc_day(went_live_at) then 3',
    caughtBy: BOTH,
  },
  'both-blank': {
    rule: 'a text of another white space than U+0020 is written, and audited, as it is (issue 49)',
    file: 'schema/focus/21-check-rows.sql',
    find: "ChargeDescription: if(trim(description, ' ') <> '', description, cost_type)} as cells\nfrom (",
    replace: "ChargeDescription: if(trim(description) <> '', description, cost_type)} as cells\nfrom (",
    caughtBy: BOTH,
  },
  'both-undated-end': {
    rule: 'without a first day a cost has no period, whatever its last day says (issue 49)',
    file: 'schema/focus/21-check-rows.sql',
    find: 'coalesce(utc_day(if(period_start is null, null, period_end)), utc_day(period_start), utc_day(created_at)) as final_day,',
    replace: 'coalesce(utc_day(period_end), utc_day(period_start), utc_day(created_at)) as final_day,',
    caughtBy: BOTH,
  },
  'other-account-amount': {
    rule: 'a load reads what its own accounts leave out, and nothing of another (issue 49)',
    file: 'src/ledger/moment/left-out.ts',
    find: "where kind <> 'provisional_cost' and not is_sample and account_id = any($1)",
    replace: "where kind <> 'provisional_cost' and not is_sample and (account_id = any($1) or true)",
    caughtBy: ['test/run/other-accounts.test.ts'],
  },
  'other-account-words': {
    rule: 'a load that leaves a ledger with too large a sum says so and succeeds: its rows are written (issue 49)',
    file: 'src/ledger/moment/left-out.ts',
    find: "if (!isCrossfootError(error, 'sum_too_large')) throw error;",
    replace: 'throw error;',
    caughtBy: ['test/run/other-accounts.test.ts'],
  },
};
