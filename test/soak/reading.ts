/** Reading all that a server has for an account, once, as a warehouse does each night. */
import { readFacts, readManifest } from '../commands/published.ts';

/** Reads the list, the newest manifest and every file of it; says what was not as the manifest promises. */
export async function readWhole(
  baseUrl: string,
  token: string,
): Promise<{ readonly files: number; readonly bad: readonly string[] }> {
  const list = await fetch(`${baseUrl}/reporting/snapshots`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const bad: string[] = list.ok ? [] : [`the list was answered ${list.status}`];
  await list.arrayBuffer();
  const { snapshot_id, tables } = await readManifest(`${baseUrl}/reporting/latest`, token);
  for (const { name, url, size_bytes, sha256 } of tables) {
    const facts = await readFacts(url, token);
    if (typeof facts === 'number' || facts.sha256 !== sha256 || facts.size_bytes !== size_bytes) {
      bad.push(`${name} of ${snapshot_id}: ${JSON.stringify(facts)}`);
    }
  }
  return { files: tables.length + 2, bad };
}
