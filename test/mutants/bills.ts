/** What a load of bills in the format of FOCUS reads, books and keeps. */
import type { Mutants } from './mutant.ts';

export const BILLS: Mutants = {
  'bills-connection-of-a-provider': {
    rule: 'bills of two providers with the same billing account id are of two connections',
    file: 'src/ledger/focus/charge.ts',
    find: 'return JSON.stringify([provider, billingAccount]);',
    replace: "return JSON.stringify([provider.trim().split(' ')[0], billingAccount]);",
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-locked-months-of-the-account': {
    rule: 'only the locked months of the account itself hold back its bills',
    file: 'src/ledger/focus/ledger-state.ts',
    find: "where account_id = $1 and status = 'locked'`,",
    replace: "where account_id >= $1 and status = 'locked'`,",
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-replaced-of-the-account': {
    rule: 'a load of bills deletes entries of its own account only',
    file: 'src/ledger/focus/ledger-state.ts',
    find: '`delete from ledger.cost_entries where account_id = $1 and id = any ($2)`,\n    [account, entries],',
    replace: '`delete from ledger.cost_entries where id = any ($1)`,\n    [entries],',
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-shares-that-stay': {
    rule: 'the shares of bills that are not in the files, such as those of last month, stay',
    file: 'src/ledger/focus/ledger-state.ts',
    find: 'and b.load_ref = any ($3) and s.load_ref <> all ($4)`,\n    [account, source, bills, shares],',
    replace:
      'and (b.load_ref = any ($3) or true) and s.load_ref <> all ($4)`,\n    [account, source, bills, shares],',
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-own-export-anywhere': {
    rule: 'an export of the account itself is refused, also as the second file of a load',
    file: 'src/ledger/focus/load-focus.ts',
    find: 'for (const [snapshot_id, billingAccount] of exports) {',
    replace: 'for (const [snapshot_id, billingAccount] of [...exports].slice(0, 1)) {',
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-title-of-several': {
    rule: 'a rule of the mapping whose title several initiatives have refuses the load',
    file: 'src/ledger/focus/load-focus.ts',
    find: "if (claim?.by !== 'mapping' || initiativeOf(claim, ledger) !== null) continue;",
    replace:
      "if (claim?.by !== 'mapping' || initiativeOf(claim, ledger) !== null || ledger.initiatives.has(claim.title)) continue;",
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-expected-rounded-once': {
    rule: 'what --expect is compared with is rounded once, over all months of the files',
    file: 'src/ledger/focus/load-focus.ts',
    find: 'units.set(currency, (units.get(currency) ?? 0n) + total);',
    replace:
      'units.set(currency, (units.get(currency) ?? 0n) + divideRounded(total, UNITS_PER_CENT) * UNITS_PER_CENT);',
    caughtBy: ['test/ledger/focus/control-lines.test.ts'],
  },
  'bills-first-rule': {
    rule: 'the initiative of a charge comes from the first matching rule that has one',
    file: 'src/ledger/focus/mapping.ts',
    find: 'const named = matching.find(({ initiative }) => initiative !== undefined);',
    replace: 'const named = matching.findLast(({ initiative }) => initiative !== undefined);',
    caughtBy: ['test/ledger/focus/mapping.test.ts'],
  },
  'bills-ai-by-rule': {
    rule: 'a rule with ai: false makes a charge no AI, whatever its service category',
    file: 'src/ledger/focus/mapping.ts',
    find: '        matching.find((each) => each.ai !== undefined)?.ai ??\n',
    replace: '        (matching.find((each) => each.ai !== undefined)?.ai ?? false) ||\n',
    caughtBy: ['test/ledger/focus/mapping.test.ts'],
  },
  'bills-every-tag': {
    rule: 'all tags of a charge count, also the second of a list',
    file: 'src/ledger/focus/mapping.ts',
    find: 'const pairs = Array.isArray(parsed) ? parsed.map(pairOf) : Object.entries(parsed);',
    replace: 'const pairs = Array.isArray(parsed) ? parsed.slice(0, 1).map(pairOf) : Object.entries(parsed);',
    caughtBy: ['test/ledger/focus/mapping.test.ts'],
  },
  'bills-difference-of-ai': {
    rule: 'in a locked month rows stay, and only the difference is booked later, also of the part that is AI',
    file: 'src/ledger/focus/plan.ts',
    find: 'const ai = held.reduce((left, entry) => left - entry.ai_amount_cents, claimed.ai);',
    replace: 'const ai = claimed.ai;',
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-difference-of-ai-alone': {
    rule: 'a correction that only changes what part of a cost is AI is booked, too',
    file: 'src/ledger/focus/plan.ts',
    find: 'if (amount === 0n && ai === 0n) return null;',
    replace: 'if (amount === 0n) return null;',
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-small-share': {
    rule: 'the share of an initiative in a bill is its part of the amount: five percent is 0.05',
    file: 'src/ledger/focus/plan.ts',
    find: "const share = `${units / SHARE_UNITS}.${String(units % SHARE_UNITS).padStart(8, '0')}`;",
    replace: "const share = `${units / SHARE_UNITS}.${String(units % SHARE_UNITS).padEnd(8, '0')}`;",
    caughtBy: ['test/ledger/focus/plan.test.ts'],
  },
  'bills-credits-are-replaced': {
    rule: 'in an open month the rows of the new bill replace all earlier ones, also credits',
    file: 'src/ledger/focus/plan.ts',
    find: 'replaced: open.filter(({ ref }) => !kept.has(ref)).map(({ id }) => id),',
    replace:
      'replaced: open.filter(({ ref, amount_cents }) => !kept.has(ref) && amount_cents > 0n).map(({ id }) => id),',
    caughtBy: ['test/ledger/focus/plan.test.ts'],
  },
  'bills-tag-of-several': {
    rule: 'a tag with a title that several initiatives have claims nothing: the charge stays unclaimed',
    file: 'src/ledger/focus/plan.ts',
    find: 'return initiative === undefined || others.length > 0 ? null : initiative;',
    replace: 'return initiative === undefined ? null : initiative;',
    caughtBy: ['test/ledger/focus/plan.test.ts'],
  },
  'bills-cost-types': {
    rule: 'charges of one initiative with two cost types are booked under their own types',
    file: 'src/ledger/focus/read-files.ts',
    find: "const name = claim === null ? '' : JSON.stringify([claim.title, claim.cost_type, claim.by]);",
    replace: "const name = claim === null ? '' : JSON.stringify([claim.title, claim.by]);",
    caughtBy: ['test/ledger/focus/scope.test.ts'],
  },
  'bills-add-up': {
    rule: 'the total of a month and currency is rounded once, and the bills add up to it',
    file: 'src/ledger/focus/bill-cents.ts',
    find: 'return own.map((bill, index) => centsOfBill(bill, shares[index] ?? 0n));',
    replace:
      'return own.map((bill, index) => centsOfBill(bill, index === 0 ? (shares[index] ?? 0n) : divideRounded(bill.total, UNITS_PER_CENT)));',
    caughtBy: ['test/ledger/focus/plan.test.ts'],
  },
  'bills-charge-without-an-end': {
    rule: 'a charge without an end of its own may be of any time of its bill: a second run of the export is found',
    file: 'src/ledger/focus/read-files.ts',
    find: "const to = cell('ChargePeriodEnd') === null ? end : time('ChargePeriodEnd');",
    replace: "const to = cell('ChargePeriodEnd') === null ? from : time('ChargePeriodEnd');",
    caughtBy: ['test/ledger/focus/runs.test.ts'],
  },
  'bills-longest-charge': {
    rule: 'a second run of an export is refused: a short charge does not shorten the time that a longer one covers',
    file: 'src/ledger/focus/runs.ts',
    find: 'part.spans.set(start, Math.max(part.spans.get(start) ?? 0, end, start + 1));',
    replace: 'part.spans.set(start, Math.max(end, start + 1));',
    caughtBy: ['test/ledger/focus/runs.test.ts'],
  },
  'bills-own-export': {
    rule: 'an export of any snapshot of the account is not loaded as its bill',
    file: 'src/commands/actions/load-focus.ts',
    find: '    return entries.some((entry) => entry.snapshot_id === snapshot_id);',
    replace: '    return entries.at(-1)?.snapshot_id === snapshot_id;',
    caughtBy: ['test/ledger/focus/own-export.test.ts'],
  },
  'bills-other-name': {
    rule: 'a bill that the ledger has under another provider or source is named, because it may count twice',
    file: 'src/ledger/focus/tie.ts',
    find: '          !(other.is_own && refs.has(other.ref)),',
    replace: '          !refs.has(other.ref) && other.is_own && false,',
    caughtBy: ['test/ledger/focus/doubted-bills.test.ts'],
  },
  'bills-unread-tags': {
    rule: 'tags that are no JSON are named, and not read as empty',
    file: 'src/ledger/focus/read-files.ts',
    find: "  if (!tags.isJson) leaveOut('Tags', 'JSON');",
    replace: "  if (!tags.isJson && tags.isWhole === false) leaveOut('Tags', 'JSON');",
    caughtBy: ['test/ledger/focus/doubted-bills.test.ts'],
  },
  'bills-listed-tag-twice': {
    rule: 'tags in a list have each key once',
    file: 'src/ledger/focus/mapping.ts',
    find: 'repeated: repeated ?? twice, isWhole',
    replace: 'repeated, isWhole',
    caughtBy: ['test/ledger/focus/doubted-bills.test.ts'],
  },
  'bills-half-letter': {
    rule: 'a text of JSON that the ledger cannot keep is refused with its place',
    file: 'src/ledger/focus/mapping.ts',
    find: "part.isWellFormed() && !part.includes('\\0')",
    replace: 'part.isWellFormed()',
    caughtBy: ['test/ledger/focus/doubted-bills.test.ts'],
  },
  'bills-unread-number': {
    rule: 'a number of use that cannot be read is named',
    file: 'src/ledger/focus/usage-of-charge.ts',
    find: 'if (text !== null && exact === null) unread.add(column);',
    replace: 'if (text === null) unread.add(column);',
    caughtBy: ['test/ledger/focus/doubted-bills.test.ts'],
  },
  'bills-number-kept': {
    rule: 'a number of use that the ledger cannot keep is left out and named',
    file: 'src/ledger/focus/usage-of-charge.ts',
    find: 'units === null || units >= MAX_EXACT || units <= -MAX_EXACT ? null : units',
    replace: 'units',
    caughtBy: ['test/ledger/focus/doubted-bills.test.ts'],
  },
  'load-header-secret': {
    rule: 'a file of secrets without a header shows nothing of its first row',
    file: 'src/ledger/load/header.ts',
    find: "const isShown = table.schema !== 'vault' ||",
    replace: "const isShown = table.schema === 'vault' ||",
    caughtBy: ['test/ledger/load/doubted-cells.test.ts'],
  },
  'load-amount-shown': {
    rule: 'a fault of an amount has the name and the decimals of the file',
    file: 'src/ledger/staging/staged-file.ts',
    find: 'if (!staged.amounts.has(name)) return',
    replace: 'if (staged.amounts.size >= 0) return',
    caughtBy: ['test/ledger/load/doubted-cells.test.ts'],
  },
  'load-rejects-first': {
    rule: 'refused rows hold the cells of the first object of JSON lines',
    file: 'src/ledger/load/rejects.ts',
    find: `    if (inHeader) {
      inHeader = false;
      continue;
    }
`,
    replace: `    if (inHeader) inHeader = false;
`,
    caughtBy: ['test/ledger/load/doubted-cells.test.ts'],
  },
};
