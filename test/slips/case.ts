/** A case of people who load files, and what became of its files: the lines that a load says, whether it loads or refuses. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { isCrossfootError } from '../../src/errors.ts';
import { type FocusRequest, loadFocus } from '../../src/ledger/focus/load-focus.ts';
import { tieLines } from '../../src/ledger/focus/tie.ts';
import type { LoadFault } from '../../src/ledger/staging/faults.ts';
import { type LoadRequest, load } from '../../src/ledger/load/load.ts';
import { tiedLine } from '../../src/ledger/load/tie-out.ts';

export interface Case {
  /** Its letter and number, and what people met. */
  readonly id: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly request?: Pick<LoadRequest, 'decimal' | 'ignore'> & Pick<FocusRequest, 'map'>;
  /** True for bills in the format of FOCUS. */
  readonly isBill?: true;
  /** True if the same case is there in plain CSV. */
  readonly isOfAnotherForm?: boolean;
  /** The exit code of the command. */
  readonly exit: 0 | 1 | 2;
  /** Parts of what the load says: figures, or the places and reasons of its refusal. */
  readonly says: readonly string[];
}

export interface Outcome {
  readonly exit: number;
  readonly said: string;
}

export interface Ledger {
  readonly url: string;
  readonly account: bigint;
}

/** Loads the files of a case and rolls them back; a file named `-` is standard input. */
export async function outcomeOf(
  { url, account }: Ledger,
  { files, request, isBill }: Case,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-case-'));
  const said: string[] = [];
  const onNote = (note: string): void => void said.push(note);
  const stdin = Readable.from([Buffer.from(files['-'] ?? '')]);
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      if (name !== '-') await writeFile(join(folder, name), content);
    }
    const all = {
      stdin,
      url,
      account,
      dryRun: true,
      onNote,
      ...('-' in files ? { paths: ['-'], table: 'cost_entries' } : { paths: [folder] }),
      ...request,
    };
    if (isBill) {
      const map = request?.map === undefined ? {} : { map: join(folder, request.map) };
      const loaded = await loadFocus({
        ...all,
        ...map,
        isOwnSnapshot: async () => await Promise.resolve(false),
      });
      said.push(...tieLines(loaded));
    } else {
      await load({
        mode: 'upsert',
        ...all,
        onTied: (tied) => said.push(...tied.map((file) => tiedLine(file))),
      });
    }
    return { exit: 0, said: said.join('\n') };
  } catch (error) {
    if (!isCrossfootError(error)) throw error;
    const faults = (error.data['faults'] ?? []) as readonly LoadFault[];
    said.push(error.message, ...faults.map(shown));
    return { exit: error.exitCode, said: said.join('\n') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function shown({ file, line, column, value, expected }: LoadFault): string {
  return `${file}:${line ?? ''} ${column ?? ''} ${JSON.stringify(value)}: ${expected}`;
}
