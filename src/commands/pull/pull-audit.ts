/** `--audit`: repeats the published audit on the pulled files before they become visible. */
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PullStopped } from '../../client/errors.ts';
import type { PulledManifest } from '../../client/remote-manifest.ts';
import { readSentManifest } from '../../snapshot/format/manifest.ts';
import { sentenceOf } from '../../snapshot/audit/report.ts';
import { auditAgain } from '../../snapshot/keep/verify.ts';

/** The memory limit of the engine; beyond it the engine uses temporary files. */
const MEMORY_MB = 256;

/** Throws unless every check gives the result that it had when the snapshot was published. */
export async function auditPulled(
  folder: string,
  { tables, ...manifest }: PulledManifest,
  signal: AbortSignal,
): Promise<void> {
  await using spill = await fs.mkdtempDisposable(join(tmpdir(), 'crossfoot-audit-'));
  const directory = await fs.realpath(folder);
  const job = { fs, directory, tempDirectory: spill.path, memory_mb: MEMORY_MB, signal };
  const files = tables.map(({ table, row_count, ...file }) => ({ ...file, name: table, rows: row_count }));
  const sent = readSentManifest(Buffer.from(manifest.text));
  if (sent === null) throw new PullStopped(3, 'The manifest is malformed.');
  const checks = await auditAgain(job, {
    ...manifest,
    tables: files,
    generated_at: sent.generated_at,
    left_out: sent.left_out,
  });
  const refused = checks.filter(({ passed }) => !passed);
  if (refused.length === 0) return;
  const offences = refused.flatMap(({ name, offences: found }) =>
    found.map((offence) => `${name}: ${sentenceOf(offence)}`),
  );
  throw new PullStopped(3, `The audit refuses snapshot ${manifest.snapshot_id}: ${offences.join('; ')}.`);
}
