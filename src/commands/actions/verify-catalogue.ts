/** The action of `crossfoot verify` for a saved catalogue: derives it again from the store, and compares every row. */
import * as fs from 'node:fs/promises';
import { CrossfootError } from '../../errors.ts';
import type { CatalogueForm } from '../../lake/catalogue-file.ts';
import { lakeSource } from '../../lake/lake-source.ts';
import { readCatalogue } from '../../lake/read-catalogue.ts';
import { statedSource, verifyCatalogue } from '../../lake/verify-catalogue.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import { CLOCK } from '../../run/machine.ts';
import { readLog } from '../../snapshot/read/read-log.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import { aligned } from '../terminal/aligned.ts';
import { printJson } from '../terminal/print-json.ts';

/** A saved catalogue. */
export interface SavedCatalogue {
  readonly catalogue: string;
  readonly form: CatalogueForm;
  readonly account: bigint | undefined;
}

/** Verifies, prints the report, and throws if a row differs. */
export async function verifySaved(
  { catalogue: path, form, account }: SavedCatalogue,
  json: boolean,
  context: CommandContext,
): Promise<void> {
  await requireFile(path);
  const saved = await readCatalogue(path, form);
  const stated = statedSource(saved);
  const { account_id, log_entry } = stated;
  if (account !== undefined && account !== account_id) {
    throw new CrossfootError(
      'verify_refused',
      `The catalogue ${path} is of account ${account_id}, expected account ${account}.`,
    );
  }
  const { settings } = openSettings(context);
  const store = await openStoreToRead(settings);
  const reader = createReader({ store, now: CLOCK.now, onFault: () => undefined });
  const report = await verifyCatalogue(saved, {
    log: await readLog(store, account_id),
    marks: await readMarks(store, account_id),
    source: lakeSource(account_id, reader),
  });
  const refused = report.checks.filter(({ passed }) => !passed);
  const versions = new Set(saved.get('ducklake_data_file')?.map((file) => file['begin_snapshot'])).size;
  if (json) {
    const head = {
      catalogue: path,
      account_id: String(account_id),
      log_entry,
      marks: stated.marks,
      versions,
    };
    printJson(context.print, { ...head, passed: refused.length === 0, ...report });
  } else {
    const facts: [string, string][] = [
      ['catalogue', path],
      ['account', String(account_id)],
      ['versions', String(versions)],
      ['derived from', `log entry ${log_entry}, ${stated.marks} marks`],
    ];
    for (const line of aligned(facts)) context.print(line);
    for (const { offences } of refused) {
      for (const { subject, place, expected, found } of offences) {
        context.print(`REFUSED  ${subject} ${place}: expected ${expected}; found ${found}`);
      }
    }
    for (const part of report.unchecked) context.print(`not checked  ${part}`);
    if (refused.length === 0) context.print('verified: every row is that of the audited snapshots');
  }
  if (refused.length === 0) return;
  const names = refused.map(({ name }) => name).join(', ');
  throw new CrossfootError('verify_refused', `${path}: refused by ${names}.`, {
    hint: 'Save the catalogue again; do not use this one.',
  });
}

async function requireFile(path: string): Promise<void> {
  const found = await fs.stat(path).catch(() => null);
  if (found?.isFile() !== true) throw new CrossfootError('usage_invalid', `${path} is no file.`);
}
