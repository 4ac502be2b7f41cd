/** Mutants of the page that proves a snapshot in the browser. */
import type { Mutants } from '../mutant.ts';

const PROOFS = ['test/prover/prove.test.ts'];
const SUMS = ['test/prover/sums.test.ts'];

export const PROVER: Mutants = {
  'prove-signature': {
    rule: 'the proof refuses a signature that does not match',
    file: 'src/prover/signatures.ts',
    find: "return (await crypto.subtle.verify({ name: 'Ed25519' }, known.key, bytes, signed))",
    replace: 'return signed.length > 0',
    caughtBy: PROOFS,
  },
  'prove-key': {
    rule: "the proof trusts the reader's own key alone, if there is one",
    file: 'src/prover/signatures.ts',
    find: 'const known = keys.findLast((each) => each.key_id === key_id);',
    replace: 'const known = keys[0];',
    caughtBy: PROOFS,
  },
  'prove-digest': {
    rule: 'the proof compares the digest of every file',
    file: 'src/prover/prove.ts',
    find: 'if (bytes.length === size_bytes && digest === sha256) return [];',
    replace: 'if (bytes.length === size_bytes) return [];',
    caughtBy: PROOFS,
  },
  'prove-manifest': {
    rule: 'the proof compares the manifest with its log entry',
    file: 'src/prover/prove.ts',
    find: "if (digest !== entry.manifest_sha256) return refused('manifest', entry.manifest_sha256, digest);",
    replace: '',
    caughtBy: PROOFS,
  },
  'prove-log-chain': {
    rule: 'the proof follows the digests of the publish log',
    file: 'src/prover/publish-log.ts',
    find: "if (entry.prev_sha256 !== before) return { seq, why: 'does not name the digest of the entry before it' };",
    replace: '',
    caughtBy: ['test/prover/publish-log.test.ts'],
  },
  'prove-log-signed': {
    rule: 'the proof refuses an unsigned entry behind a signed one',
    file: 'src/prover/publish-log.ts',
    find: "if (!entry.is_signed && signed > 0) return { seq, why: 'is not signed, and the one before it is' };",
    replace: '',
    caughtBy: ['test/prover/publish-log.test.ts'],
  },
  'prove-figures': {
    rule: 'the proof compares every figure of a window',
    file: 'src/prover/totals.ts',
    find: 'shown(window[name], name) !== row[name]',
    replace: "shown(window[name], name) !== row[name] && name !== 'net_value_cents'",
    caughtBy: PROOFS,
  },
  'prove-windows': {
    rule: 'the proof refuses a window that no entry calls for',
    file: 'src/prover/totals.ts',
    find: 'for (const [key, rows] of found) {',
    replace: 'for (const [key, rows] of [...found].slice(1)) {',
    caughtBy: SUMS,
  },
  'prove-freed': {
    rule: 'the proof floors freed capacity in each month',
    file: 'src/prover/entries.ts',
    find: 'const freed = capacity > realized ? capacity - realized : 0n;',
    replace: 'const freed = capacity - realized;',
    caughtBy: SUMS,
  },
  'prover-two-keys': {
    rule: 'a reader may trust the old key and the new one',
    file: 'src/prover/prove.ts',
    find: 'return keys;\n  }\n  const keys',
    replace: 'return keys.slice(0, 1);\n  }\n  const keys',
    caughtBy: ['test/prover/prove.test.ts'],
  },
  'prover-days-entered': {
    rule: 'a key that a reader enters counts on its days alone',
    file: 'src/prover/prove.ts',
    find: 'valid_until: until ?? null',
    replace: 'valid_until: null',
    caughtBy: ['test/prover/prove.test.ts'],
  },
  'prove-unsigned': {
    rule: 'an unsigned snapshot is never called proven',
    file: 'src/prover/prove.ts',
    find: "const outcome = isRight ? (outcomes.includes('unsigned') ? 'unsigned' : 'proven') : 'refused';",
    replace: "const outcome = isRight ? 'proven' : 'refused';",
    caughtBy: PROOFS,
  },
  'prove-last-day': {
    rule: 'the proof takes the first and the last day of a key',
    file: 'src/prover/signatures.ts',
    find: 'if ((valid_from !== null && day < valid_from) || (valid_until !== null && day > valid_until)) {',
    replace:
      'if ((valid_from !== null && day < valid_from) || (valid_until !== null && day >= valid_until)) {',
    caughtBy: PROOFS,
  },
  'prove-group': {
    rule: 'the proof reads every row group of a file',
    file: 'src/prover/columns.ts',
    find: '    rowStart = rowEnd;\n',
    replace: '',
    caughtBy: ['test/prover/columns.test.ts'],
  },
  'prove-whole-log': {
    rule: 'the page loads the log to its end',
    file: 'src/prover/load.ts',
    find: "if (part === '') return entries;",
    replace: "if (part === '' || entries.length > 0) return entries;",
    caughtBy: ['test/prover/load.test.ts'],
  },
  'prover-first-entry': {
    rule: 'the first entry of a publish log names none before it',
    file: 'src/prover/publish-log.ts',
    find: 'if (entry.prev_sha256 !== before) return',
    replace: 'if (entry.prev_sha256 !== before && seq > 1) return',
    caughtBy: ['test/prover/publish-log.test.ts'],
  },
  'prover-named-key': {
    rule: 'an entry of a publish log names the key that signed it',
    file: 'src/prover/publish-log.ts',
    find: "return checked.key_id === groups?.['key_id'] ? null : 'names a key that did not sign it';",
    replace: 'return null;',
    caughtBy: ['test/prover/publish-log.test.ts'],
  },
  'prover-nameless-signature': {
    rule: 'a signature that names no key does not count as none',
    file: 'src/prover/publish-log.ts',
    find: "const is_signed = 'sshsig' in read || 'sshsig_key' in read;",
    replace: "const is_signed = 'sshsig' in read && 'sshsig_key' in read;",
    caughtBy: ['test/prover/publish-log.test.ts'],
  },
  'prover-key-listed-twice': {
    rule: 'of a key that is listed twice the later days count for the page of a proof',
    file: 'src/prover/signatures.ts',
    find: 'const known = keys.findLast((each) => each.key_id === key_id);',
    replace: 'const known = keys.find((each) => each.key_id === key_id);',
    caughtBy: ['test/prover/signatures.test.ts'],
  },
};
