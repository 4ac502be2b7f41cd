/** Rows from files. */
import type { Mutants } from './mutant.ts';

export const LOAD: Mutants = {
  'load-complete-carries': {
    rule: 'load --complete never deletes rows of another source with a row of its own',
    file: 'src/ledger/identity/carried-rows.ts',
    find: 'if (carried === undefined || carried.rows === 0) continue;',
    replace: 'if (carried !== undefined) continue;',
    caughtBy: ['test/ledger/identity/complete.test.ts'],
  },
  'load-complete-own-source': {
    rule: 'load --complete deletes rows of its own source only',
    file: 'src/ledger/load/merge.ts',
    find: '...(source === null ? [] : [`t.load_source = ${escapeLiteral(source)}`]),',
    replace: '...(source === null ? [] : [`t.load_source >= ${escapeLiteral("")}`]),',
    caughtBy: ['test/ledger/identity/complete.test.ts'],
  },
  'load-name-of-account': {
    rule: 'a name in a file never finds a row of another account',
    file: 'src/ledger/identity/candidates.ts',
    find: "const account = shared ? 'true' : 't.account_id = c.account';",
    replace: "const account = shared ? 'true' : 't.account_id > 0';",
    caughtBy: ['test/ledger/identity/refs.test.ts'],
  },
  'load-name-of-one': {
    rule: 'a name that several rows have is refused',
    file: 'src/ledger/identity/resolve.ts',
    find: 'where f.found <> 1',
    replace: 'where f.found = 0',
    caughtBy: ['test/ledger/identity/refs.test.ts'],
  },
  'load-ref-new-id': {
    rule: 'a row without an id never gets the id of another row',
    file: 'src/ledger/identity/resolve.ts',
    find: 'where taken.id >= coalesce(',
    replace: 'where taken.id < coalesce(',
    caughtBy: ['test/ledger/identity/refs.test.ts'],
  },
  'load-ref-of-account': {
    rule: 'a source_ref finds the row of its own account and source',
    file: 'src/ledger/identity/resolve.ts',
    find: 'left join ${tableName(table)} t on t.account_id = s.account_id::bigint',
    replace: 'left join ${tableName(table)} t on t.account_id > 0',
    caughtBy: ['test/ledger/identity/refs.test.ts'],
  },
  'load-merge-chain': {
    rule: 'a load flattens chains of vendor merges (server A6)',
    file: 'src/ledger/load/verify-written.ts',
    find: "if (table.name !== 'vendors' || column.name !== 'merged_into_id') return differs;",
    replace: "if (table.name !== '') return differs;",
    caughtBy: ['test/ledger/load/merges.test.ts'],
  },
  'load-rule-in-words': {
    rule: 'a load refuses a broken rule in the words of its comment (server A6)',
    file: 'src/ledger/load/checks.ts',
    find: 'escapeLiteral(rule_in_words ?? wordsOfRule(expression) ??',
    replace: 'escapeLiteral(wordsOfRule(expression) ??',
    caughtBy: ['test/ledger/load/refusals.test.ts'],
  },
  'load-amount-once': {
    rule: 'an amount that could be two numbers is refused',
    file: 'src/ledger/sources/decimals.ts',
    find: 'if (readings.size > 1) {',
    replace: 'if (readings.size > 2) {',
    caughtBy: ['test/ledger/sources/decimals.test.ts'],
  },
  'load-file-once': {
    rule: 'the rows of a table come from one file',
    file: 'src/ledger/sources/inputs.ts',
    find: 'twice: [...new Set(all.filter((name, place) => all[place + 1] === name))],',
    replace: 'twice: [],',
    caughtBy: ['test/ledger/sources/inputs.test.ts'],
  },
  'load-ref-alone': {
    rule: 'a change of a row moves updated_at although its load_ref changes with it',
    file: 'schema/ledger/0020-load-refs.sql',
    find: 'if to_jsonb(new) - unseen = to_jsonb(old) - unseen then',
    replace: 'if true then',
    caughtBy: ['test/schema/stamps.test.ts'],
  },
  'load-ref-no-stamp': {
    rule: 'load_source and load_ref alone move no updated_at',
    file: 'schema/ledger/0020-load-refs.sql',
    find: 'new.updated_at := old.updated_at;',
    replace: 'new.updated_at := new.updated_at;',
    caughtBy: ['test/schema/stamps.test.ts'],
  },
};
