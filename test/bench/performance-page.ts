/** The performance page: an article whose tables are the runs recorded for a release. */
import { readFile, writeFile } from 'node:fs/promises';
import { type Figure, isMet } from './benchmark.ts';
import { inOrder, type Machine, type RecordedRun, sizeAsked } from './record.ts';

const PAGE = new URL('../../docs/articles/performance.md', import.meta.url);
/** From the first table to what was tried; what stands before and after is written by hand. */
const MEASURED = /^## [^]*(?=^## What was tried$)/m;

/** The page as it stands. */
export function readPage(): Promise<string> {
  return readFile(PAGE, 'utf8');
}

/**
 * The page with these runs, each in place of the table that its command gave before. Tables of other commands stay, with
 * their dates: all of them take more than an hour. `order` has the names of the benchmarks.
 */
export function withRuns(page: string, runs: readonly RecordedRun[], order: readonly string[]): string {
  const renewed = runs.map((run) => ({ command: run.command, text: `${section(run)}\n` }));
  const commands = new Set(runs.map(({ command }) => command));
  return page.replace(MEASURED, (measured) => {
    const stay = measured
      .split(/^(?=## )/m)
      .map((text) => ({ command: commandOf(text), text }))
      .filter(({ command }) => !commands.has(command));
    return inOrder([...stay, ...renewed], order)
      .map(({ text }) => text)
      .join('');
  });
}

function commandOf(text: string): string {
  return /^npm run bench -- .+$/m.exec(text)?.[0] ?? '';
}

/** Writes the page with these runs. */
export async function writePage(runs: readonly RecordedRun[], order: readonly string[]): Promise<void> {
  await writeFile(PAGE, withRuns(await readPage(), runs, order));
}

function section(run: RecordedRun): string {
  const { title, command, date, machine, figures } = run;
  const size = sizeAsked(run);
  const asked =
    size === null ? '' : `: ${size.number.toLocaleString('en')} ${size.of === 'rows' ? 'entries' : size.of}`;
  return `## ${title[0]?.toUpperCase()}${title.slice(1)}${asked}

<!-- not run: a benchmark takes minutes to hours -->
\`\`\`sh
${command}
\`\`\`

On ${date}, ${machineSentence(machine)}.

| figure | value | against | promised |
|---|---|---|---|
${figures.map(row).join('\n')}
`;
}

function machineSentence({ cpu, cores, memory_gb, node, load }: Machine): string {
  return `${cores} × ${cpu}, ${memory_gb} GB, Node ${node}, load before the run ${load}`;
}

function row(figure: Figure): string {
  const { name, value, unit, against, runs } = figure;
  const beside = [against, runs > 1 ? `${runs} runs` : null].filter((each) => each !== null).join('; ');
  return `| ${name} | ${shown(value)} ${unit} | ${beside} | ${promised(figure)} |`;
}

function promised(figure: Figure): string {
  const { target } = figure;
  if (target === undefined) return '';
  const bound = 'at_most' in target ? `at most ${target.at_most}` : `at least ${target.at_least}`;
  return `${bound}: ${isMet(figure) === true ? 'kept' : '**not kept**'}`;
}

/** Four digits that count, and no more than that of a number above a thousand. */
function shown(value: number): string {
  return Number(value.toPrecision(value >= 1000 ? 3 : 4)).toLocaleString('en');
}
