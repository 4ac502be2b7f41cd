/** The action of `crossfoot verify`: checks digests and repeats the audit of a snapshot in the store or a folder. */
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CrossfootError } from '../../errors.ts';
import { fetchSnapshot } from '../../snapshot/keep/fetch-snapshot.ts';
import type { LogEntry } from '../../snapshot/format/publish-log.ts';
import { readLog } from '../../snapshot/read/read-log.ts';
import { sentenceOf } from '../../snapshot/audit/report.ts';
import { signedBy } from '../../snapshot/keep/verify-signatures.ts';
import { unpackFolder } from '../../snapshot/keep/unpack-folder.ts';
import { pinnedAs } from '../../snapshot/keep/pins.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { type Retraction, snapshotStatus } from '../../snapshot/format/snapshot-status.ts';
import { CHECKS_OF_FILES, verifySnapshot, type VerifyReport } from '../../snapshot/keep/verify.ts';
import { didYouMean } from '../../ledger/sources/nearest-file.ts';
import { inVerified } from '../../snapshot/spool/failure.ts';
import { hasCode } from '../../store/directories.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { StoreReader } from '../../store/store.ts';
import { shownInstant, shownSentence } from '../../format.ts';
import { aligned } from '../terminal/aligned.ts';
import { isPinName } from '../terminal/arguments.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { spoolFolder } from '../../run/databases.ts';
import { CLOCK } from '../../run/machine.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import { printJson } from '../terminal/print-json.ts';

/** What to verify: a snapshot in the store, by its id or `latest`, or a folder. With an account, a folder may also be a pin's name. */
export type VerifySubject = Stored | { readonly folder: string; readonly account: bigint | undefined };

interface Stored {
  readonly id: string;
  readonly account: bigint;
}

/** The memory limit of the engine; beyond it the engine uses temporary files. */
const MEMORY_MB = 256;
const RESTORE = 'Restore the files named above from a copy of the folder';
const LAYOUTS = { store: 'as the store keeps it', served: 'as a server sends it' } as const;

/** Verifies, prints the report, and throws if a check fails. */
export async function verify(what: VerifySubject, json: boolean, context: CommandContext): Promise<void> {
  if ('id' in what) return await verifyNamed(what, json, context);
  const pinned = await namedByPin(what, context);
  if (pinned !== null) return await verifyNamed(pinned, json, context);
  tell(await verifyFolder(resolve(what.folder), what.account, context), json, context);
}

/** The same of a snapshot in the store, which may be retracted. */
async function verifyNamed({ id, account }: Stored, json: boolean, context: CommandContext): Promise<void> {
  const { report, retraction } = await verifyStored(id, account, context);
  // The files of a retracted snapshot may be whole, and its figures are wrong all the same.
  if (retraction !== null) context.say(retractedLine(report, retraction));
  tell(report, json, context);
}

/** The files are verified all the same. */
const UNKNOWN_RETRACTION = 'Whether the snapshot is retracted could not be read.';

function retractedLine({ snapshot_id }: VerifyReport, { at, reason, replaced_by }: Retraction): string {
  const instead = replaced_by === null ? '' : ` Read ${replaced_by} instead.`;
  return `RETRACTED: ${snapshot_id} since ${shownInstant(at)}: ${shownSentence(reason)}${instead} Its files may be whole; do not use its figures.`;
}

/** The snapshot in the store that the pin means; null if there is a folder of this name, or if no pin can have it. */
async function namedByPin(
  { folder, account }: { readonly folder: string; readonly account: bigint | undefined },
  context: CommandContext,
): Promise<Stored | null> {
  if (account === undefined || !isPinName(folder)) return null;
  const isThere = await fs.stat(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return null;
  const { settings } = openSettings(context);
  const marks = await readMarks(await openStoreToRead(settings), account);
  if (marks.fault !== null) throw marks.fault;
  const [id] = pinnedAs(marks, folder, CLOCK.now());
  return id === undefined ? null : { id, account };
}

async function verifyStored(
  snapshot_id: string,
  account: bigint,
  context: CommandContext,
): Promise<{ readonly report: VerifyReport; readonly retraction: Retraction | null }> {
  const { settings } = openSettings(context);
  const store = await openStoreToRead(settings);
  const entry = await findEntry(store, account, snapshot_id);
  // The copy lies in the folder of the builds' files: a disk with space for a build has space for the copy.
  const spools = spoolFolder(settings);
  await fs.mkdir(spools, { recursive: true });
  await using copy = await fs.mkdtempDisposable(join(spools, 'verify-'));
  const directory = copy.path;
  await fetchSnapshot({ store, fs, directory, account_id: account, entry, signal: context.signal });
  const marks = await untilAnswered(CLOCK, () => readMarks(store, account)).catch(() => null);
  if (marks === null || marks.fault !== null) context.say(UNKNOWN_RETRACTION);
  const retraction = marks === null ? null : snapshotStatus(marks, entry.snapshot_id).retraction;
  const report = await verifySnapshot({
    ...verifyTools(context),
    directory,
    expected: { ...entry, account_id: account },
    signed_by: signedBy(entry, store.signing?.keys ?? new Map()),
    tempDirectory: join(directory, 'spill'),
  });
  return { report, retraction };
}

async function findEntry(store: StoreReader, account: bigint, id: string): Promise<LogEntry> {
  const log = await readLog(store, account);
  const entry =
    id === 'latest' ? log.entries.at(-1) : log.entries.find(({ snapshot_id }) => snapshot_id === id);
  if (entry !== undefined) return entry;
  // The snapshot may be in an entry after the fault, but such entries cannot be trusted.
  if (log.fault !== null) throw log.fault;
  throw new CrossfootError('not_found', `Account ${account} has published no snapshot ${id}.`, {
    hint: `npx --no crossfoot snapshots --account ${account} lists its snapshots.`,
  });
}

async function verifyFolder(
  directory: string,
  account: bigint | undefined,
  context: CommandContext,
): Promise<VerifyReport> {
  await requireSnapshot(directory);
  await using spill = await fs.mkdtempDisposable(join(tmpdir(), 'crossfoot-verify-'));
  await using copy = await fs.mkdtempDisposable(join(tmpdir(), 'crossfoot-verify-'));
  const names = await namesIn(directory);
  const unpacked = await unpackFolder(fs, { directory, names, to: copy.path });
  const report = await verifySnapshot({
    ...verifyTools(context),
    directory: await fs.realpath(unpacked === null ? directory : copy.path),
    expected: null,
    signed_by: null,
    names: unpacked ?? names,
    tempDirectory: spill.path,
  });
  if (account !== undefined && report.account_id !== null && report.account_id !== String(account)) {
    throw new CrossfootError(
      'verify_refused',
      `The snapshot in ${directory} is of account ${report.account_id}, expected account ${account}.`,
    );
  }
  return report;
}

/** Throws if a folder has neither a manifest nor a table. */
async function requireSnapshot(directory: string): Promise<void> {
  const names = await namesIn(directory);
  if (names.some((name) => name === 'manifest.json' || name.endsWith('.parquet'))) return;
  const hint = names.includes('latest.json')
    ? `Name one of its snapshots, such as ${join(directory, 'latest')}.`
    : 'Name a copy of a snapshot folder of the store, or a folder that pull made.';
  throw new CrossfootError(
    'usage_invalid',
    `${directory} holds no snapshot: expected manifest.json and *.parquet, found neither.`,
    { hint },
  );
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await inVerified(directory, () => fs.readdir(directory));
  } catch (error) {
    const { cause } = error as Error; // the error of the file system, if any
    if (!hasCode(cause, 'ENOENT') && !hasCode(cause, 'ENOTDIR')) throw error;
    const end = await didYouMean(directory, { files: () => false, folders: true });
    throw new CrossfootError('usage_invalid', `${directory} is neither a snapshot id nor a folder${end}`);
  }
}

function verifyTools({ signal }: CommandContext) {
  return { fs, memory_mb: MEMORY_MB, signal };
}

function tell(report: VerifyReport, json: boolean, { print }: CommandContext): void {
  if (json) printJson(print, report);
  else for (const line of lines(report)) print(line);
  if (report.passed) return;
  const refused = report.checks.filter((check) => !check.passed);
  const instead = report.layout === 'served' ? 'Delete the folder and pull the snapshot again' : RESTORE;
  const snapshot = report.snapshot_id === null ? 'this folder' : `snapshot ${report.snapshot_id}`;
  throw new CrossfootError(
    'verify_refused',
    `${snapshot}: refused by ${refused.map(({ name }) => name).join(', ')}.`,
    { hint: `${instead}; do not use its figures.` },
  );
}

function lines(report: VerifyReport): readonly string[] {
  const { snapshot_id, account_id, layout, manifest_sha256, engine, passed, checks, unchecked } = report;
  return [
    ...aligned([
      ['snapshot', snapshot_id ?? 'unknown'],
      ['account', account_id ?? 'unknown'],
      ['layout', layout === null ? 'unknown' : LAYOUTS[layout]],
      ['manifest', manifest_sha256 === null ? 'missing' : `SHA-256 ${manifest_sha256}`],
      ['engine', engine],
    ]),
    ...checks.flatMap(({ name, passed: fine, offences }) => [
      `${fine ? 'passed ' : 'REFUSED'}  ${name}`,
      ...offences.map((offence) => `         ${sentenceOf(offence)}`),
    ]),
    ...unchecked.map((part) => `not checked  ${part}`),
    passed ? verdict(report) : 'REFUSED: do not use the figures in these files',
  ];
}

/** The number of checks of the audit is that of `build` and of the pages. */
function verdict({ checks, unchecked }: VerifyReport): string {
  const ofFiles = checks.filter(({ name }) => CHECKS_OF_FILES.includes(name)).length;
  const ofAudit = checks.length - ofFiles;
  const rest = unchecked.length === 0 ? '' : `, not checked: ${unchecked.length}`;
  const files = `all ${ofFiles} checks of the files passed`;
  const both = `all ${ofAudit} checks of the audit passed again, and all ${ofFiles} checks of the files`;
  return `verified: ${ofAudit === 0 ? files : both}${rest}`;
}
