/** Runs `pull.mjs`, one pull. Standard output gets the finished folder, standard error gets every message. */
import { readCommandLine, USAGE } from './command-line.ts';
import { PullStopped } from './errors.ts';
import { pull } from './pull.ts';

const NOTHING_NEW = 10;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort(new PullStopped(1, `Stopped by ${signal}.`)));
}
/** Signs of control, and those that change the direction or the line of a text: a server may send them in its messages. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const say = (line: string): void => {
  process.stderr.write(`pull: ${line.replaceAll(UNPRINTABLE, ' ')}\n`);
};

/** Pulls, and returns the exit code. */
async function run(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2), process.env);
  if (options === null) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const { snapshot_id, folder, isNew } = await pull(options, { say, signal: stop.signal });
  process.stdout.write(`${folder}\n`);
  say(isNew ? `snapshot ${snapshot_id} is here` : `nothing new: snapshot ${snapshot_id} was here already`);
  return isNew ? 0 : NOTHING_NEW;
}

try {
  process.exitCode = await run();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof PullStopped ? error.exit : 1;
}
