/** The performance page: the recorded runs as an article, and below them what was tried. */
import { readFile, writeFile } from 'node:fs/promises';
import { type Figure, isMet } from './benchmark.ts';
import { type Machine, type RecordedRun, rowsOf } from './record.ts';

const PAGE = new URL('../../docs/articles/performance.md', import.meta.url);
const TRIED = new URL('tried.md', import.meta.url);

const HEAD = `---
id: 61
slug: performance
theme: Running it
title: How fast it is
summary: What builds, downloads and the read API take, each beside what it is held against in the same run.
published: true
---

Every figure here was measured by the command above its table, and each was measured only after what it measures had been found to
be right. What the machine itself decides is given as a ratio: of two things that were timed in turn in one run. Whoever doubts a
figure runs the command; \`--record\` writes this page anew.
`;

/** The whole text of the page. */
export async function performancePage(runs: readonly RecordedRun[]): Promise<string> {
  return [HEAD, ...runs.map(section), await readFile(TRIED, 'utf8')].join('\n');
}

/** The page as it stands. */
export function readPage(): Promise<string> {
  return readFile(PAGE, 'utf8');
}

/** Writes the page of these runs. */
export async function writePage(runs: readonly RecordedRun[]): Promise<void> {
  await writeFile(PAGE, await performancePage(runs));
}

function section(run: RecordedRun): string {
  const { title, command, date, machine, figures } = run;
  const rows = rowsOf(run);
  const entries = rows === 0 ? '' : `: ${rows.toLocaleString('en')} entries`;
  return `## ${title[0]?.toUpperCase()}${title.slice(1)}${entries}

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
