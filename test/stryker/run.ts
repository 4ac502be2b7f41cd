/**
 * `npm run stryker -- --mutate src/figures/roi.ts`: changes the arithmetic and the protocol in every small way, and
 * holds what no test noticed to the list of survivors. Fails when too many survive, when one that does has no reason
 * there, and when one has a reason that does not survive.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const REPORT = `${TOP}data/stryker.json`;

const report = z.object({
  files: z.record(
    z.string(),
    z.object({
      mutants: z.array(
        z.object({
          status: z.string(),
          replacement: z.string().default(''),
          location: z.object({ start: z.object({ line: z.int(), column: z.int() }) }),
        }),
      ),
    }),
  ),
});
const survivors = z.array(
  // Several mutants of one place are told apart by what they say.
  z.strictObject({ at: z.string(), mutant: z.string().min(1), why: z.string().min(1) }),
);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

rmSync(REPORT, { force: true });
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'test/stryker/stryker.config.json',
    ...process.argv.slice(2),
  ],
  { cwd: TOP, stdio: 'inherit' },
);
const { files } = report.parse(JSON.parse(readFileSync(REPORT, 'utf8')));
const listed = survivors.parse(
  JSON.parse(readFileSync(new URL('./survivors.json', import.meta.url), 'utf8')),
);
const survived = Object.entries(files).flatMap(([file, { mutants }]) =>
  mutants
    .filter((mutant) => mutant.status === 'Survived' || mutant.status === 'NoCoverage')
    .map(({ location: { start }, replacement }) => ({
      at: `${file}:${start.line}:${start.column}`,
      replacement,
    })),
);
const places = (all: readonly { readonly at: string }[]): readonly string[] => all.map(({ at }) => at);
const unlisted = survived.filter(({ at }) => !places(listed).includes(at));
const stale = listed.filter(({ at }) => (at.split(':')[0] ?? '') in files && !places(survived).includes(at));
for (const { at, replacement } of unlisted) say(`survived without a reason: ${at} ${replacement}`);
for (const { at, mutant } of stale) say(`has a reason and does not survive: ${at} ${mutant}`);
process.exitCode = status === 0 && unlisted.length === 0 && stale.length === 0 ? 0 : 1;
