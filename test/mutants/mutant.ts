/** A safety rule taken out of the program, as a patch that says which rule it is and which tests must notice. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The top of the repository, where patches apply. */
export const TOP = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = fileURLToPath(new URL('./', import.meta.url));

export interface Mutant {
  /** The name of its file, without the ending. */
  readonly name: string;
  readonly path: string;
  /** The rule, and where it stands. */
  readonly rule: string;
  /** Test files, from the top; none where only schedules notice it. */
  readonly caughtBy: readonly string[];
  /** How many schedules of `npm run chaos` notice it: a rule that only the order of several actors can break. */
  readonly schedules: number | null;
  /** Which of the pull programs the tests are to run: `python` for a rule of `pull.py`. */
  readonly program: string;
}

/** All of them, sorted by name. */
export function readMutants(): readonly Mutant[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.patch'))
    .toSorted()
    .map((file) => {
      const path = `${FOLDER}${file}`;
      const text = readFileSync(path, 'utf8');
      const caughtBy = header(text, 'caught-by');
      const schedules = /^schedules (\d+)$/.exec(caughtBy)?.[1];
      return {
        name: file.replace('.patch', ''),
        path,
        rule: header(text, 'rule'),
        caughtBy: schedules === undefined ? caughtBy.split(' ').filter(Boolean) : [],
        schedules: schedules === undefined ? null : Number(schedules),
        program: header(text, 'program') || 'node',
      };
    });
}

/** What stands behind `# name:` before the patch begins; empty when nothing does. */
function header(text: string, name: string): string {
  return new RegExp(`^# ${name}: (.+)$`, 'm').exec(text.split('\n--- ')[0] ?? '')?.[1]?.trim() ?? '';
}
