/** The rule about what is loaded before a command runs: for help, for wrong usage, and each time before the work. */
import { graphOf, reachable } from './import-rules.ts';
import type { Source } from './source.ts';

/** Where the command line begins, and what it may load before a command runs. */
const START = { path: 'src/cli.ts', packages: ['commander'], mostFiles: 60 };

/** Neither packages that a command needs to work are loaded, nor many files: a person would wait for them. */
export function refuseSlowStart(files: readonly Source[]): string[] {
  const early = files.map((file) => ({ ...file, imports: earlyImports(file) }));
  const needed = reachable(graphOf(early, false), START.path).add(START.path);
  const loaded = early.filter(({ path }) => needed.has(path));
  const heavy = loaded.flatMap(({ path, imports }) =>
    imports
      .map(({ from }) => from)
      .filter((from) => !/^(?:\.|node:)/.test(from) && !START.packages.includes(from))
      .map((from) => `${path}: is loaded before a command runs, and loads ${from}`),
  );
  if (loaded.length === 0) return [`${START.path}: is not there, so that nothing was looked at`];
  if (loaded.length <= START.mostFiles) return heavy;
  const found = `${loaded.length} files before a command runs, ${START.mostFiles} at most`;
  return [...heavy, `${START.path}: loads ${found}`];
}

/** What is loaded with a file; of the first also what it imports later, when its cache is open. */
function earlyImports({ path, imports }: Source): Source['imports'] {
  return imports.filter(({ typeOnly, later }) => !typeOnly && (!later || path === START.path));
}
