/** What a database says was applied to it, held against the files of this program. */
import { CrossfootError } from '../../errors.ts';
import type { SqlFile } from './files.ts';

export interface AppliedFile {
  readonly name: string;
  readonly sha256: string;
}

/** Refuses a database that is ahead of this program, and files that do not continue what was applied. */
export function refuseChangedHistory(applied: readonly AppliedFile[], files: readonly SqlFile[]): void {
  const present = new Map(files.map((file) => [file.name, file]));
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
        hint: 'Restore the file and put the change into a new one.',
        data: { file: name, expected: sha256, found },
      },
    );
  }
}
