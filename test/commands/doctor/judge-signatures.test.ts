import { expect, it } from 'vitest';
import { judgeSignatures } from '../../../src/commands/doctor/judge-signatures.ts';
import { KEY_ID, PUBLIC_KEY, signingWith } from '../../support/signing.ts';

const keys = [...signingWith().keys.values()];
const own = { keys, embedded: false };

it.each([
  ['prints the keys that servers need', [], own, 'ok', `SIGNING_PUBLIC_KEYS=${PUBLIC_KEY}`],
  ['names the key of an embedded database', [], { keys, embedded: true }, 'ok', `signed with ${KEY_ID}`],
  ['waits for the first build to make a key', [], { keys: [], embedded: true }, 'ok', 'the first build'],
  ['warns that nothing is checked', [], { keys: [], embedded: false }, 'warning', 'no key is set'],
  [
    'warns of a key that no setting names',
    [{ account_id: 1n, checked: { outcome: 'unknown-key', key_id: 'SHA256:x' } }] as const,
    own,
    'warning',
    'the newest snapshot of account 1 is signed with SHA256:x, which no setting names',
  ],
  [
    'fails for a wrong signature, also beside right ones',
    [
      { account_id: 1n, checked: { outcome: 'valid', key_id: KEY_ID } },
      { account_id: 2n, checked: { outcome: 'invalid', why: 'is missing' } },
    ] as const,
    own,
    'failed',
    'the newest manifest of account 2 is missing',
  ],
])('the finding about signatures %s', (_, found, known, outcome, sentence) => {
  const finding = judgeSignatures(found, known);
  expect(finding.outcome).toBe(outcome);
  expect(finding.found).toContain(sentence);
});
