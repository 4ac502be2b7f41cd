/** Mutants of signatures. */
import type { Mutants } from '../mutant.ts';

const RECORD = 'src/snapshot/format/signed-record.ts';
const RECORDS = ['test/snapshot/format/signed-records.test.ts'];
const SNAPSHOTS = ['test/snapshot/keep/signed-snapshots.test.ts'];

export const SIGNING: Mutants = {
  'verify-untrusted-key': {
    rule: 'verify refuses a signature of a key that is not among the trusted ones',
    file: 'src/snapshot/keep/verify-signatures.ts',
    find: "else if (checked.outcome === 'unknown-key')",
    replace: 'else if (false)',
    caughtBy: ['test/commands/verify-signatures.test.ts'],
  },
  'signing-unsigned-after': {
    rule: 'after a signed entry an unsigned one is refused',
    file: RECORD,
    find: "return chain.signed ? 'is not signed, and the one before it is' : chain;",
    replace: 'return chain;',
    caughtBy: RECORDS,
  },
  'signing-checked': {
    rule: 'an entry whose signature does not match is refused',
    file: RECORD,
    find: "if (checked.outcome === 'invalid') return checked.why;",
    replace: "if (checked.outcome === 'invalid') return { ...chain, signed: true };",
    caughtBy: RECORDS,
  },
  'signing-named-key': {
    rule: 'an entry names the key that signed it',
    file: RECORD,
    find: "if (checked.key_id !== sshsig_key) return 'names a key that did not sign it';",
    replace: '',
    caughtBy: RECORDS,
  },
  'signing-without-key': {
    rule: 'nothing unsigned is written behind a signed entry',
    file: RECORD,
    find: 'if (!signed) return message;',
    replace: 'if (!signed || signer === null) return message;',
    caughtBy: [...RECORDS, ...SNAPSHOTS],
  },
  'signing-namespace': {
    rule: 'a signature of one kind does not count for another',
    file: 'src/signing/sshsig.ts',
    find: 'if (read.namespace !== namespace) {',
    replace: "if (read.namespace === '') {",
    caughtBy: ['test/signing/sshsig.test.ts', ...RECORDS],
  },
  'signing-days': {
    rule: 'a key signs on its days alone',
    file: 'src/signing/keys.ts',
    find: '&& (valid_until === null || day <= valid_until)',
    replace: '',
    caughtBy: ['test/signing/sshsig.test.ts', ...RECORDS],
  },
  'signing-order': {
    rule: 'the signatures of a snapshot are stored before its log entry',
    file: 'src/snapshot/build/publish.ts',
    find: 'if (signer === null) return published_at;',
    replace: 'if (signer === null || published_at > 0n) return published_at;',
    caughtBy: SNAPSHOTS,
  },
  'signing-statement': {
    rule: 'the signed statement names the tables and the audit of its manifest',
    file: 'src/signing/dsse.ts',
    find: 'if (!payload.equals(statement(expected))) {',
    replace: 'if (payload.length === 0) {',
    caughtBy: SNAPSHOTS,
  },
  'signing-scrubbed': {
    rule: 'a scrub quarantines a snapshot with a wrong signature',
    file: 'src/snapshot/keep/find-damage.ts',
    find: "if (read?.checked.outcome === 'invalid') damaged.push(name);",
    replace: '',
    caughtBy: SNAPSHOTS,
  },
  'signing-served': {
    rule: 'a wrong signature is not served',
    file: 'src/snapshot/read/signed-reader.ts',
    find: "if (read.bytes !== null && read.checked.outcome !== 'invalid') return read.bytes;",
    replace: 'if (read.bytes !== null) return read.bytes;',
    caughtBy: SNAPSHOTS,
  },
  'signing-kept-key': {
    rule: 'a reader makes no signing key',
    file: 'src/run/signing.ts',
    find: 'const first = await readKeyFile(folder, SIGNING_KEY);',
    replace: 'const first = await openKeyFile(folder, SIGNING_KEY);',
    caughtBy: ['test/run/signing.test.ts'],
  },
  'signing-key-followed': {
    rule: 'a running reader uses the key that another process makes or replaces (server fault 5)',
    file: 'src/run/signing.ts',
    find: 'const key = current();',
    replace: 'const key = first;',
    caughtBy: ['test/run/signing.test.ts'],
  },
  'signing-key-before-serving': {
    rule: 'a server makes the signing key of its folder before it answers (server fault 5)',
    file: 'src/run/signing.ts',
    find: 'if (seeds === null && folder !== null) await openKeyFile(folder, SIGNING_KEY);',
    replace: '',
    caughtBy: ['test/run/signing.test.ts'],
  },
  'signing-chain-checked-again': {
    rule: 'a log that was read with other keys is read and checked again',
    file: 'src/snapshot/read/read-log.ts',
    find: 'if (known.signing !== (store.signing ?? null)) return await readLog(store, known.account_id);',
    replace: '',
    caughtBy: ['test/serve/reporting/signing-routes.test.ts'],
  },
  'signing-key-of-each-build': {
    rule: 'a worker signs each build with the key of that moment',
    file: 'src/run/build/queued-build.ts',
    find: 'if (current?.text !== text) {',
    replace: 'if (current === undefined) {',
    caughtBy: ['test/run/build/queued-build.test.ts'],
  },
};
