/** Reading what a running program serves, over real HTTP, and holding each file to its manifest. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { TABLES } from '../../src/tables/all.ts';
import { requireContract } from '../serve/contract/held-to-contract.ts';

const manifest = z.object({
  snapshot_id: z.string(),
  account_id: z.coerce.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      row_count: z.number(),
      size_bytes: z.number(),
      sha256: z.string(),
      url: z.string(),
    }),
  ),
});

const COMPUTED = ['budget_vs_actual', 'reported_totals'];
/** The tables in the order in which the build of a small account writes them: copied tables, then computed ones. */
export const WRITTEN = TABLES.toSorted((a, b) => COMPUTED.indexOf(a.name) - COMPUTED.indexOf(b.name));

export type ServedManifest = z.infer<typeof manifest>;

/** A GET with the token as bearer, or without one; an answer that breaks its contract fails. */
export async function get(url: string, token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return await requireContract('GET', url, await fetch(url, { headers }));
}

export async function readManifest(url: string, token: string): Promise<ServedManifest> {
  const answer = await get(url, token);
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return manifest.parse(await answer.json());
}

/** A file's size and SHA-256 as they arrive; the status instead, when it is not 200. */
export async function readFacts(
  url: string,
  token: string,
): Promise<{ size_bytes: number; sha256: string } | number> {
  const answer = await get(url, token);
  if (answer.status !== 200) return answer.status;
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The tables whose bytes, at their pinned addresses, are not what the manifest says. */
export async function wrongTables({ tables }: ServedManifest, token: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { name, url, size_bytes, sha256 } of tables) {
    const facts = await readFacts(url, token);
    if (typeof facts === 'number' || facts.size_bytes !== size_bytes || facts.sha256 !== sha256) {
      wrong.push(`${name}: ${JSON.stringify(facts)}`);
    }
  }
  return wrong;
}
