import { createHash } from 'node:crypto';
import type { Catalogues } from '../../src/lake/catalogues.ts';

/** Catalogues that name their account, their form and a link to a table of this snapshot. Account 9 has no snapshot. */
export function fakeCatalogues(snapshot_id: string): Catalogues {
  return {
    async get({ account_id, form, links }) {
      if (account_id === 9n) return null;
      const link = links?.addressOf(snapshot_id, 'costs') ?? 'no links';
      const bytes = new Uint8Array(Buffer.from(`LAKE ${account_id} ${form} ${link}`));
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    close: async () => undefined,
  };
}
