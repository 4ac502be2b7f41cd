/** What changed from one snapshot to another. */
import type { Mutants } from './mutant.ts';

export const DIFF: Mutants = {
  'changes-portfolio-last': {
    rule: 'a page of changes reads the totals of the portfolio by their key',
    file: 'src/serve/pages/changes-page.ts',
    find: 'let first: number | null = await firstOfPortfolio(diff);',
    replace: 'let first: number | null = 0;',
    caughtBy: ['test/serve/pages/changes-page.test.ts'],
  },
  'changes-portfolio-whole': {
    rule: 'no total of the portfolio is called unmoved before all of them are read',
    file: 'src/serve/pages/changes-page.ts',
    find: 'first = next;',
    replace: 'first = next === null || totals.length === 0 ? null : next;',
    caughtBy: ['test/serve/pages/changes-page.test.ts'],
  },
  'diff-approved-rewritten': {
    rule: 'value that was rewritten is edited, approved anew or not',
    file: 'schema/diff/30-view-reasons.sql',
    find: "if(table_name = 'reported_value' and not is_rewritten and list_contains(columns_changed, 'approved_at'), place('approved'), null),",
    replace:
      "if(table_name = 'reported_value' and list_contains(columns_changed, 'approved_at'), place('approved'), null),",
    caughtBy: ['test/diff/reason-order.test.ts'],
  },
  'diff-booking-month': {
    rule: 'an undated cost has the month of its booking',
    file: 'schema/diff/30-view-reasons.sql',
    find: 'utc_month(coalesce(later.period_start, later.created_at)) as later_month,',
    replace: 'utc_month(later.period_start) as later_month,',
    caughtBy: ['test/diff/reason-order.test.ts'],
  },
  'diff-entered-since': {
    rule: 'an entry of an initiative made since has not entered with it (server F2)',
    file: 'schema/diff/30-view-reasons.sql',
    find: "if(change = 'added' and stood_since <= earlier_moment and home.created_at <= earlier_moment",
    replace: "if(change = 'added' and stood_since <= earlier_moment",
    caughtBy: ['test/diff/reason-rules.test.ts'],
  },
  'diff-entered': {
    rule: 'an older entry that came from a sample has entered with its initiative (server F1)',
    file: 'schema/diff/30-view-reasons.sql',
    find: "and (not is_undecided or appeared.initiative_id is not null), place('initiative_entered'), null),",
    replace: "and appeared.initiative_id is not null, place('initiative_entered'), null),",
    caughtBy: ['test/diff/reason-rules.test.ts'],
  },
  'diff-exact': {
    rule: 'a sum beyond 2^53 - 1 in a comparison is refused, never rounded (server F4)',
    file: 'src/diff/changes-file.ts',
    find: 'if (rounded === undefined) return change;',
    replace: 'if (change !== undefined) return change;',
    caughtBy: ['test/diff/changes-file.test.ts'],
  },
  'diff-latest-location': {
    rule: 'a comparison with latest names the address that stays',
    file: 'src/serve/reporting/diff.ts',
    find: 'if (!Object.values(c.req.param()).includes(LATEST)) return {};',
    replace: 'if (Object.values(c.req.param()).includes(LATEST)) return {};',
    caughtBy: ['test/serve/reporting/diff.test.ts'],
  },
  'diff-locked-before': {
    rule: 'the lock of a month is no reason where the month was locked before',
    file: 'schema/diff/30-view-reasons.sql',
    find: "and at_last.is_locked and not at_last.was_locked, place('month_locked'), null),",
    replace: "and at_last.is_locked, place('month_locked'), null),",
    caughtBy: ['test/diff/reason-order.test.ts'],
  },
  'diff-net-entries': {
    rule: 'an entry that moved no net value is not counted among its reasons',
    file: 'schema/diff/50-view-moved.sql',
    find: 'count(entry) filter (where cash - capex - opex <> 0) as net_entries,',
    replace: 'count(entry) as net_entries,',
    caughtBy: ['test/diff/worked-history.test.ts'],
  },
  'diff-newest-decision': {
    rule: 'the newest decision about a value entry wins (server D)',
    file: 'schema/diff/20-view-entries.sql',
    find: 'qualify row_number() over (partition by later.subject_id order by later.decided_at desc, later.approval_decision_id desc) = 1;',
    replace:
      'qualify row_number() over (partition by later.subject_id order by later.decided_at, later.approval_decision_id) = 1;',
    caughtBy: ['test/diff/reason-rules.test.ts'],
  },
  'diff-no-effects': {
    rule: 'an entry that moved no figure has no effects',
    file: 'schema/diff/70-view-notes.sql',
    find: '} order by e.initiative_id, e.month) filter (where (e.cash, e.freed, e.capex, e.opex, e.price_effect) <> (0, 0, 0, 0, 0))) as effects,',
    replace: '} order by e.initiative_id, e.month)) as effects,',
    caughtBy: ['test/diff/worked-history.test.ts'],
  },
  'diff-rate-same-dollars': {
    rule: 'another rate is the reason even where the dollars stay to the cent (server F3)',
    file: 'schema/diff/30-view-reasons.sql',
    find: `if(change = 'changed' and not is_recounted and (earlier_dollars is distinct from later_dollars
      or list_has_any(columns_changed, ['usd_rate', 'usd_rate_from', 'usd_rate_through'])), place('rate_changed'), null),`,
    replace:
      "if(change = 'changed' and not is_recounted and earlier_dollars is distinct from later_dollars, place('rate_changed'), null),",
    caughtBy: ['test/diff/reason-rules.test.ts'],
  },
  'diff-recounted-arrived': {
    rule: 'a rate that arrived is no reason of an entry that was recounted as well',
    file: 'schema/diff/30-view-reasons.sql',
    find: "if(change = 'changed' and not is_recounted and earlier_dollars is null and later_dollars is not null, place('rate_arrived'), null),",
    replace:
      "if(change = 'changed' and earlier_dollars is null and later_dollars is not null, place('rate_arrived'), null),",
    caughtBy: ['test/diff/reason-order.test.ts'],
  },
  'diff-recounted-average': {
    rule: 'a rate is no reason of an entry that was recounted as well',
    file: 'schema/diff/30-view-reasons.sql',
    find: "if(change = 'changed' and not is_recounted and was_provisional and not is_provisional, place('rate_became_average'), null),",
    replace:
      "if(change = 'changed' and was_provisional and not is_provisional, place('rate_became_average'), null),",
    caughtBy: ['test/diff/reason-order.test.ts'],
  },
  'diff-reopened': {
    rule: 'a month reopened and locked again between two snapshots was reopened (server D, F6)',
    file: 'schema/diff/20-view-entries.sql',
    find: `coalesce(earlier.locked, false) and (later.locked is not true
    or (later.reopened_at, later.locked_at) is distinct from (earlier.reopened_at, earlier.locked_at)) as reopened`,
    replace: 'coalesce(earlier.locked, false) and later.locked is not true as reopened',
    caughtBy: ['test/diff/reason-rules.test.ts'],
  },
};
