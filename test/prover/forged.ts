/** Snapshots that were changed by somebody: a file alone, or with every digest and signature made new. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Loaded } from '../../src/prover/load.ts';
import type { Proof } from '../../src/prover/prove.ts';
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

interface NamedTable {
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

type Forged = Pick<Loaded, 'log' | 'manifest' | 'signature'>;

/** The manifest, its signature and its log entry for another file: as a publisher would make them who has the key. */
export function resigned(
  of: Pick<Loaded, 'log' | 'manifest'>,
  name: string,
  bytes: Uint8Array,
  seed = SEED,
): Forged {
  const replaced = (table: NamedTable): NamedTable =>
    `${table.name}.parquet` === name
      ? { ...table, size_bytes: bytes.length, sha256: sha256Hex(bytes) }
      : table;
  return resignedWith(of, (tables) => tables.map(replaced), seed);
}

/** The same for other tables. */
export function resignedWith(
  { manifest, log }: Pick<Loaded, 'log' | 'manifest'>,
  change: (tables: readonly NamedTable[]) => readonly NamedTable[],
  seed = SEED,
): Forged {
  const stored = JSON.parse(Buffer.from(manifest).toString()) as { tables: readonly NamedTable[] };
  const tables = change(stored.tables);
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

/** A signature as `manifest.json.sig` holds it. */
export function signatureBy(seed: string, message: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(armor(signSsh(signingKeyOf(seed), 'crossfoot', message))));
}

/** The bytes of a file that the page loaded. */
export function bytesIn({ files }: Loaded, name: string): Uint8Array<ArrayBuffer> {
  const bytes = files.get(name);
  if (bytes === undefined || typeof bytes === 'string') throw new Error(`no ${name}`);
  return bytes;
}

/** The outcome of each part of a proof, by its title. */
export function outcomes(proof: Proof): Record<string, string> {
  return Object.fromEntries(proof.parts.map(({ title, outcome }) => [title, outcome]));
}
