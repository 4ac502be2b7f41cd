/** Compares the migrations that a database has with the files of this program. */
import { CrossfootError } from '../../errors.ts';
import type { SqlFile } from './files.ts';

export interface AppliedFile {
  readonly name: string;
  readonly sha256: string;
}

/** The location of a ledger, for messages. */
export interface LedgerPlace {
  readonly database: string;
  /** The data folder of the embedded PostgreSQL; undefined for a database that the settings name. */
  readonly dataDir: string | undefined;
}

/** Throws if the database is from before the first release or newer than this program, or if applied files changed. */
export function refuseChangedHistory(
  applied: readonly AppliedFile[],
  files: readonly SqlFile[],
  place: LedgerPlace,
): void {
  const present = new Map(files.map((file) => [file.name, file]));
  // Files are only added, so every released ledger has the first file. A ledger without it is older than the first release.
  if (applied.length > 0 && !applied.some(({ name }) => present.has(name))) throw olderLedger(applied, place);
  const last = files.at(-1)?.name ?? '';
  const newer = applied.filter(({ name }) => name > last).map(({ name }) => name);
  if (newer.length > 0) {
    throw new CrossfootError(
      'database_newer',
      `The database has ${newer.join(', ')}, which this program does not know; nothing was changed.`,
      { hint: 'Run the newer program, or restore a backup made before it.', data: { files: newer } },
    );
  }
  const done = new Set(applied.map(({ name }) => name));
  const lastDone = [...done].toSorted().at(-1) ?? '';
  const late = files.find(({ name }) => name < lastDone && !done.has(name));
  if (late !== undefined) {
    throw new CrossfootError(
      'migration_changed',
      `${late.name} is new and comes before ${lastDone}, which was already applied; nothing was applied.`,
      { hint: `Give it a number above that of ${lastDone}.`, data: { file: late.name } },
    );
  }
  for (const { name, sha256 } of applied) {
    const found = present.get(name)?.sha256;
    if (found === sha256) continue;
    throw new CrossfootError(
      'migration_changed',
      `${name} was applied and has since been ${found === undefined ? 'removed' : 'changed'}; nothing was applied.`,
      {
        hint: 'Restore the file, and put the change into a new file.',
        data: { file: name, expected: sha256, found },
      },
    );
  }
}

function olderLedger(applied: readonly AppliedFile[], { database, dataDir }: LedgerPlace): CrossfootError {
  const where = dataDir === undefined ? `database ${database}` : `data folder ${dataDir}`;
  return new CrossfootError(
    'database_older',
    `The ${where} holds a ledger from before the first release, which cannot be migrated; nothing was changed.`,
    {
      hint:
        dataDir === undefined
          ? `Create a new database, set OWNER_URL, LEDGER_URL and DATABASE_URL to it, then migrate and load the ledger again.`
          : `Move ${dataDir} away, or set DATA_DIR to a new folder, then start and load the ledger again.`,
      data: { files: applied.map(({ name }) => name).toSorted() },
    },
  );
}
