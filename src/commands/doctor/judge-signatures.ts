/** Evaluates the keys of the settings, and the signatures of the newest snapshots. */
import type { PublicKey } from '../../signing/keys.ts';
import type { Checked } from '../../signing/sshsig.ts';
import { type Finding, fine } from './findings.ts';

export interface FoundSignature {
  readonly account_id: bigint;
  /** Null for an account without a signed snapshot. */
  readonly checked: Checked | null;
}

/** A finding that names the keys: a failure if a signature is wrong, a warning if a signature cannot be checked. */
export function judgeSignatures(
  found: readonly FoundSignature[],
  { keys, embedded }: { readonly keys: readonly PublicKey[]; readonly embedded: boolean },
): Finding {
  for (const { account_id, checked } of found) {
    if (checked?.outcome === 'invalid') {
      return {
        outcome: 'failed',
        found: `the newest manifest of account ${account_id} ${checked.why}`,
        advice: 'Find out who wrote to the store, then run npx --no crossfoot scrub.',
      };
    }
  }
  const strange = found.find(({ checked }) => checked?.outcome === 'unknown-key');
  if (keys.length === 0 && embedded) return fine('the first build makes the key that signs');
  if (keys.length === 0) {
    return {
      outcome: 'warning',
      found: 'no signature is checked: no key is set',
      advice: 'Set SIGNING_KEYS where snapshots are built, and SIGNING_PUBLIC_KEYS where they are served.',
    };
  }
  if (strange?.checked?.outcome === 'unknown-key') {
    return {
      outcome: 'warning',
      found: `the newest snapshot of account ${strange.account_id} is signed with ${strange.checked.key_id}, which no setting names`,
      advice: 'If that key is yours, add its public part to SIGNING_PUBLIC_KEYS.',
    };
  }
  if (embedded) return fine(`snapshots are signed with ${keys[0]?.key_id}`);
  const shown = keys.map(({ openssh }) => openssh).join();
  return fine(`signatures are checked; for serve: SIGNING_PUBLIC_KEYS=${shown}`);
}
