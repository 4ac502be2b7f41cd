/**
 * `npm run chaos -- --seed 1 --only schedules,flips --times 1000 --short --json`: faults of every kind, done many times
 * to the real code, and what must not come of them. Prints one line for each campaign: how many, of which seed, how
 * long, and what was bad. Exits 1 when anything was, 2 on a usage that is none or when nothing could be run.
 */
import { parseArgs } from 'node:util';
import { CAMPAIGNS } from './campaigns.ts';
import { runCampaigns } from './run-campaigns.ts';

function refuse(sentence: string): never {
  const names = CAMPAIGNS.map(({ name }) => name).join(', ');
  process.stderr.write(`${sentence}\nCampaigns: ${names}\n`);
  process.exit(2);
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (text !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  return refuse(`--${option} takes a whole number, not ${text}.`);
}

function parse() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        only: { type: 'string' },
        times: { type: 'string' },
        short: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

const { seed, only, times, short, json } = parse();
const asked = {
  seed: wholeNumber('seed', seed),
  times: times === undefined ? null : wholeNumber('times', times),
  short,
  json,
};
const names = only?.split(',');
for (const name of names ?? []) {
  if (!CAMPAIGNS.some((campaign) => campaign.name === name)) refuse(`There is no campaign ${name}.`);
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
const { run, not_run, bad } = await runCampaigns(
  CAMPAIGNS.filter(({ name }) => names === undefined || names.includes(name)),
  asked,
  {
    result: (line) => process.stdout.write(`${line}\n`),
    progress: (line) => process.stderr.write(`${line}\n`),
    clock: () => performance.now(),
    signal: stop.signal,
  },
);
const stopped = stop.signal.aborted ? ', stopped before its end' : '';
process.stderr.write(`chaos: ${run} campaigns run, ${not_run} not run, ${bad} bad${stopped}\n`);
// What was stopped has not shown what it was to show.
process.exitCode = bad > 0 || stop.signal.aborted ? 1 : run === 0 ? 2 : 0;
