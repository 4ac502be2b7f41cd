/** Snapshots that were changed by somebody: a file alone, or with every digest and signature made new. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Loaded } from '../../src/prover/load.ts';
import { signingKeyOf } from '../../src/signing/keys.ts';
import { armor, signSsh } from '../../src/signing/sshsig.ts';
import { canonicalText } from '../../src/snapshot/format/canonical-json.ts';
import { sha256Hex } from '../../src/snapshot/format/digest.ts';
import { SEED, signingWith } from '../support/signing.ts';
import { encodeSigned } from '../../src/snapshot/format/signed-record.ts';
import { withFolder } from '../parquet/temporary-folder.ts';

/** The same table, with `value` in `column` where `where` holds. */
export async function changedTable(
  bytes: Uint8Array,
  { column, value, where }: { readonly column: string; readonly value: string; readonly where: string },
): Promise<Uint8Array<ArrayBuffer>> {
  return await withFolder(async (folder) => {
    const [from, to] = [join(folder, 'from.parquet'), join(folder, 'to.parquet')];
    await writeFile(from, bytes);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      const changed = `case when ${where} then ${value} else ${column} end as ${column}`;
      await connection.run(
        `copy (select * replace (${changed}) from read_parquet('${from}')) to '${to}' (format parquet, compression zstd)`,
      );
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
    return new Uint8Array(await readFile(to));
  });
}

/** The bytes with one bit changed in the middle. */
export function flipped(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const changed = new Uint8Array(bytes);
  const middle = Math.floor(changed.length / 2);
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  return changed;
}

/** The manifest, its signature and its log entry for another file: as a publisher would make them who has the key. */
export function resigned(
  { manifest, log }: Pick<Loaded, 'log' | 'manifest'>,
  name: string,
  bytes: Uint8Array,
  seed = SEED,
): Pick<Loaded, 'log' | 'manifest' | 'signature'> {
  const stored = JSON.parse(Buffer.from(manifest).toString()) as {
    tables: { name: string; size_bytes: number; sha256: string }[];
  };
  const tables = stored.tables.map((table) =>
    `${table.name}.parquet` === name
      ? { ...table, size_bytes: bytes.length, sha256: sha256Hex(bytes) }
      : table,
  );
  const changed = new Uint8Array(Buffer.from(canonicalText({ ...stored, tables })));
  const signature = armor(signSsh(signingKeyOf(seed), 'crossfoot', changed));
  const entry = JSON.parse(log.at(-1) ?? '{}') as Record<string, unknown>;
  const { sshsig: _, sshsig_key: __, ...unsigned } = entry;
  const chain = { signing: signingWith(seed), signed: true, unknown_key: null };
  const named = { ...unsigned, manifest_sha256: sha256Hex(changed) };
  const last = Buffer.from(encodeSigned(named, 'crossfoot-log', chain)).toString();
  return {
    manifest: changed,
    signature: new Uint8Array(Buffer.from(signature)),
    log: [...log.slice(0, -1), last],
  };
}

/** The same log with these entries, counted from 1, without their signatures, and each behind the one before it. */
export function unsignedLog(log: readonly string[], ...unsigned: readonly number[]): readonly string[] {
  let before = '0'.repeat(64);
  return log.map((text, index) => {
    const { sshsig: _, sshsig_key: __, ...entry } = JSON.parse(text) as Record<string, unknown>;
    const linked = { ...entry, prev_sha256: before };
    const chain = { signing: signingWith(), signed: false, unknown_key: null };
    const bytes = unsigned.includes(index + 1)
      ? canonicalText(linked)
      : Buffer.from(encodeSigned(linked, 'crossfoot-log', chain)).toString();
    before = sha256Hex(Buffer.from(bytes));
    return bytes;
  });
}
