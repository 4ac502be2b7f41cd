/**
 * `npm run fuzz -- --times N --seed S --json`: sends so many raw and odd requests, made from the contract, to the
 * real server over the fixture company. Exits 1 when one was answered as none may be: with 5xx, in another shape
 * than the one of refusals, not at all; when a file elsewhere was opened; or when memory or descriptors grew.
 */
import { parseArgs } from 'node:util';
import { runFuzz } from './run-fuzz.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

const result = await runFuzz({
  seed: Number(values.seed),
  times: Number(values.times),
  say: (line) => process.stderr.write(`${line}\n`),
  signal: stop.signal,
});
if (values.json) process.stdout.write(`${JSON.stringify({ seed: Number(values.seed), ...result })}\n`);
else {
  process.stdout.write(`${result.done} requests, ${result.bad.length} bad\n`);
  for (const [name, figure] of Object.entries(result.figures)) process.stdout.write(`${name} ${figure}\n`);
  for (const line of result.bad) process.stdout.write(`bad: ${line}\n`);
}
process.exitCode = result.bad.length === 0 ? 0 : 1;
