/** Builds that are signed as they are published. */
import type { Signing } from '../../../src/signing/keys.ts';
import type { AuditedBuild } from '../../../src/snapshot/builder/publish.ts';
import type { Store } from '../../../src/store/store.ts';
import { contentOf } from '../../store/contract.ts';
import { clockedStore, type ClockedStore } from '../../store/clocked-store.ts';
import { signingWith } from '../../support/signing.ts';
import { aBuild } from './build-harness.ts';

/** A build with the two files that a statement of the audit needs. */
export function aSignedBuild(label: string, generated_at: bigint): AuditedBuild {
  const audit = Buffer.from(`{"checks":[],"label":"${label}","passed":true}`);
  return {
    ...aBuild(label, generated_at),
    files: [
      { name: 'audit.json', content: contentOf(audit) },
      { name: 'control.json', content: contentOf(Buffer.from(`control of ${label}`)) },
    ],
  };
}

/** A store in memory whose snapshots are signed with that key. */
export function signedStore(clock: { now: bigint }, signing: Signing = signingWith()): ClockedStore & Store {
  return { ...clockedStore(clock), signing };
}
