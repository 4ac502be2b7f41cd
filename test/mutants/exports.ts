/** How the exports of providers are read, and what is kept of their use. */
import type { Mutants } from './mutant.ts';

const SUMS = ['test/snapshot/audit/companions.test.ts'];
const EXPORTS = ['test/ledger/focus/incomplete-exports.test.ts'];

export const EXPORTED_BILLS: Mutants = {
  'usage-in-one-pass': {
    rule: 'which quantities a bill counts itself is found without comparing each row with those of its day',
    file: 'schema/ledger/0049-usage-in-one-pass.sql',
    find: '        bool_or(used.load_ref is null) over (partition by used.account_id, used.bill_id, used.used_on, used.unit) as counted',
    replace:
      '        (select count(*) > 0 from ledger.usage o where o.account_id = used.account_id and o.bill_id = used.bill_id and o.used_on = used.used_on and o.unit = used.unit and o.load_ref is null) as counted',
    caughtBy: ['test/ledger/focus/usage-rests.test.ts'],
  },
  'usage-counted-by-unit': {
    rule: 'a bill that counts one unit of a day leaves the quantities of the other units',
    file: 'schema/ledger/0049-usage-in-one-pass.sql',
    find: '        bool_or(used.load_ref is null) over (partition by used.account_id, used.bill_id, used.used_on, used.unit) as counted',
    replace:
      '        bool_or(used.load_ref is null) over (partition by used.account_id, used.bill_id, used.used_on) as counted',
    caughtBy: ['test/ledger/focus/usage.test.ts'],
  },
  'usage-sums-not-read': {
    rule: 'a page of AI spend reads the sums of usage and not its rows',
    file: 'src/serve/live/snapshot-usage.ts',
    find: "  const stored = await companionIfAny(files, 'usage_sums');",
    replace: '  const stored = null;',
    caughtBy: ['test/serve/money/page-reads.test.ts'],
  },
  'usage-sums-exact': {
    rule: 'the sums of usage have every decimal of their rows',
    file: 'schema/companions/audit/24-check-usage-sums.sql',
    find: '  or not is_sum(r.quantity, s.quantity)',
    replace: '',
    caughtBy: SUMS,
  },
  'usage-sums-partial': {
    rule: 'a sum of usage is partial if a part of it has a unit and no cost',
    file: 'schema/views/usage_sums.sql',
    find: '  coalesce(bool_or(u.unit is not null and (u.quantity is null or u.billed_cost is null)), false) as partial',
    replace: '  false as partial',
    caughtBy: ['test/ledger/focus/usage.test.ts'],
  },
  'focus-incomplete-export': {
    rule: 'the exports of Google are read without the columns that they lack',
    file: 'src/ledger/focus/versions.ts',
    find: "    lacks: ['BillingAccountName', 'InvoiceIssuerName', 'ServiceCategory'],",
    replace: "    lacks: ['BillingAccountName', 'InvoiceIssuerName'],",
    caughtBy: EXPORTS,
  },
  'focus-incomplete-by-every-mark': {
    rule: 'only a file with all marks of an incomplete export may lack its columns',
    file: 'src/ledger/focus/versions.ts',
    find: '  const incomplete = INCOMPLETE_EXPORTS.find(({ marks }) => marks.every(has)) ?? null;',
    replace: '  const incomplete = INCOMPLETE_EXPORTS.find(({ marks }) => marks.some(has)) ?? null;',
    caughtBy: EXPORTS,
  },
  'focus-labels-in-order': {
    rule: 'the label of a resource wins over that of its project',
    file: 'src/ledger/focus/versions.ts',
    find: "    tags: ['x_ProjectLabels', 'x_Tags', 'x_Labels'],",
    replace: "    tags: ['x_Labels', 'x_Tags', 'x_ProjectLabels'],",
    caughtBy: EXPORTS,
  },
  'focus-labels-with-capitals': {
    rule: 'keys and values of labels are read with capitals, too',
    file: 'src/ledger/focus/mapping.ts',
    find: '  return [Key, Value];',
    replace: '  return [key, value];',
    caughtBy: EXPORTS,
  },
  'focus-nothing-is-ai': {
    rule: 'the load says that no charge of an export without categories is AI',
    file: 'src/ledger/focus/file-notes.ts',
    find: 'withoutCategory !== null && ai === 0',
    replace: 'withoutCategory !== null && ai > 0',
    caughtBy: EXPORTS,
  },
  'usage-class-in-any-case': {
    rule: 'the words of FOCUS class a cost in letters of any case',
    file: 'src/ledger/focus/usage-of-charge.ts',
    find: "  const category = cell('ChargeCategory')?.toLowerCase();",
    replace: "  const category = cell('ChargeCategory');",
    caughtBy: ['test/ledger/focus/usage-of-charge.test.ts'],
  },
  'focus-use-of-replaced-bill': {
    rule: 'the use of a bill that the newer export has in another currency is removed with it',
    file: 'src/ledger/focus/load-focus.ts',
    find: '      plan.bills.map((bill) => [billRef(bill), sums.bills.get(billRef(bill))?.total ?? 0n]),',
    replace: '      [...sums.bills.values()].map((bill) => [billRef(bill), bill.total]),',
    caughtBy: ['test/ledger/focus/usage.test.ts'],
  },
  'focus-charge-of-a-moment': {
    rule: 'a charge that ends when it starts covers that moment: a second run of the export is refused',
    file: 'src/ledger/focus/runs.ts',
    find: '      part.spans.set(start, Math.max(part.spans.get(start) ?? 0, end, start + 1));',
    replace: '      part.spans.set(start, Math.max(part.spans.get(start) ?? 0, end));',
    caughtBy: ['test/ledger/focus/runs.test.ts'],
  },
  'focus-currency-of-a-month': {
    rule: 'a billing account may have another currency in another month',
    file: 'src/ledger/focus/read-files.ts',
    find: '    const account = JSON.stringify([provider, billingAccount, month]);',
    replace: '    const account = JSON.stringify([provider, billingAccount]);',
    caughtBy: ['test/ledger/focus/read-files.test.ts'],
  },
  'identity-approval-by-date': {
    rule: 'a file with ids and approved_at alone records approvals at those times',
    file: 'src/ledger/identity/approvals.ts',
    find: "(source === null && by.startsWith('null') && at.startsWith('null'))) {",
    replace: "(source === null && by.startsWith('null'))) {",
    caughtBy: ['test/ledger/identity/complete.test.ts'],
  },
  'identity-vendor-first-spelling': {
    rule: 'a new vendor has the spelling of the first line that names it',
    file: 'src/ledger/identity/vendors.ts',
    find: '       order by r.account_id, r.key, r.line\n',
    replace: '       order by r.account_id, r.key, r.line desc\n',
    caughtBy: ['test/ledger/identity/refs.test.ts'],
  },
  'load-places-without-rule': {
    rule: 'a decimal with more places than its column keeps is refused, also in a column without a rule',
    file: 'src/ledger/load/check-types.ts',
    find: "  const rounds = column.base.startsWith('numeric(');",
    replace: "  const rounds = column.rule !== null && column.base.startsWith('numeric(');",
    caughtBy: ['test/ledger/load/cell-forms.test.ts'],
  },
  'load-column-said-twice': {
    rule: 'a file with an id column and a ref column of the same reference is refused by its header',
    file: 'src/ledger/load/header.ts',
    find: '    const twice = given.find((each) => column !== undefined && fills(each.name) === fills(column.name));',
    replace: '    const twice = given.find((each) => each === column);',
    caughtBy: ['test/ledger/identity/refs.test.ts'],
  },
  'load-secret-of-a-row': {
    rule: 'a fault of a whole row of secrets does not show the part that a comma cuts off',
    file: 'src/ledger/staging/redact.ts',
    find: "  const isSecret = table.schema === 'vault' && !table.key.includes(column ?? '');",
    replace: "  const isSecret = table.schema === 'vault' && column !== null && !table.key.includes(column);",
    caughtBy: ['test/slips/cases.test.ts'],
  },
  'ndjson-letter-in-pieces': {
    rule: 'a letter may stand in two pieces of a file',
    file: 'src/ledger/sources/ndjson.ts',
    find: "    for (const [index, part] of decoder.write(chunk).split('\\n').entries()) {",
    replace: "    for (const [index, part] of chunk.toString('utf8').split('\\n').entries()) {",
    caughtBy: ['test/ledger/sources/ndjson.test.ts'],
  },
};
