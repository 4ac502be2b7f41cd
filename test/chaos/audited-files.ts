/** The files of one build that was written by the real writer and passed the real audit, to be published many times. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeCanonical } from '../../src/snapshot/format/canonical-json.ts';
import { digest } from '../../src/snapshot/format/digest.ts';
import type { AuditedBuild } from '../../src/snapshot/builder/publish.ts';
import { contentOfBytes } from '../../src/snapshot/spool/upload.ts';
import { TABLES } from '../../src/tables/all.ts';
import { company } from '../snapshot/audit/audited-company.ts';
import { AuditBench, refusals } from '../snapshot/audit/audited-files.ts';

type Build = Pick<AuditedBuild, 'tables' | 'files'>;

/** Fourteen tables and the evidence beside them, as a build hands them to `publish`. */
export async function auditOnce(): Promise<Build> {
  await using bench = await AuditBench.open();
  const rows = company();
  const stored = new Map<string, Buffer>();
  const report = await bench.audit(rows, {
    // Called when everything is written and before it is audited; nothing is changed.
    async spoil(directory) {
      const names = [...TABLES.map(({ name }) => `${name}.parquet`), 'schema.json', 'control.json'];
      for (const name of names) stored.set(name, await readFile(join(directory, name)));
    },
  });
  if (!report.passed) throw new Error(`the audit refused the company: ${refusals(report).join(', ')}`);
  stored.set('audit.json', encodeCanonical(report));
  const bytesOf = (name: string): Buffer => stored.get(name) ?? Buffer.alloc(0);
  return {
    tables: await Promise.all(
      TABLES.map(({ name }) => tableOf(name, rows[name]?.length ?? 0, bytesOf(`${name}.parquet`))),
    ),
    files: ['schema.json', 'control.json', 'audit.json'].map((name) => ({
      name,
      content: contentOfBytes(bytesOf(name)),
    })),
  };
}

/** A table's file with the digests of its blocks. */
export async function tableOf(
  name: string,
  row_count: number,
  bytes: Uint8Array,
): Promise<AuditedBuild['tables'][number]> {
  const content = contentOfBytes(bytes);
  const { blocks } = await digest(content.open());
  return { name, row_count, content: { ...content, blocks } };
}
