/** Runs a program of commands in a process: signals, streams, error messages and exit code. */
import { setImmediate } from 'node:timers/promises';
import { type Command, CommanderError } from 'commander';
import { type CrossfootError, firstError, isCrossfootError } from '../../errors.ts';
import { isReadByPerson } from '../../log-format.ts';
import { printable } from '../../format.ts';
import type { CommandContext } from '../../run/context.ts';
import { openProgress } from './progress.ts';

/** The reason of a stop when the reader of a pipe has left, as `head` does. */
const OUTPUT_CLOSED = new Error('the output was closed');

/** The errors of writing to a pipe whose reader has left, and to a terminal that was closed. */
const CLOSED_OUTPUT = ['EPIPE', 'EIO'] as const;

/** The real clock and timer. `unref`: the timer does not keep the process running. */
const TIME = {
  clock: () => performance.now(),
  every: (ms: number, run: () => void) => {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

/**
 * Parses the arguments of this process and runs its command. Exit codes: 0 done, 1 failed, 2 wrong usage or settings,
 * 3 figures or files refused; `pull` adds 10 for nothing new.
 */
export async function runProgram(
  createProgram: (context: CommandContext) => Command,
  env: CommandContext['env'],
): Promise<void> {
  const stop = new AbortController();
  // SIGHUP means a closed terminal. Without a handler this process would end and leave the embedded server running.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  }
  if (env['npm_execpath'] !== undefined) {
    // Loaded only below npm, so that other starts load no more files.
    const { watchNpm } = await import('../../run/npm-parent.ts');
    watchNpm({
      env,
      onEnded: () => stop.abort(new Error('stopped, because npm, which had started it, ended')),
    });
  }
  // Work goes on although its output cannot be written: it may free a full disk. At its end the command says that lines are missing.
  let unwritten: Error | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (CLOSED_OUTPUT.some((code) => code === error.code)) stop.abort(OUTPUT_CLOSED);
    else unwritten ??= error;
  });
  process.stderr.on('error', () => undefined); // remarks are lost, as lines of the log are
  const isFollowed = process.stderr.isTTY && isReadByPerson(env['LOG_FORMAT']);
  const progress = isFollowed ? openProgress(process.stderr, TIME) : undefined;
  const lineOn =
    (stream: NodeJS.WriteStream) =>
    (line: string): void => {
      progress?.clear();
      stream.write(`${printable(line)}\n`);
    };
  const writeLine = lineOn(process.stdout);
  const context: CommandContext = {
    env,
    signal: stop.signal,
    print(line) {
      // After the output closes, a command that prints rows stops here and closes its resources.
      if (stop.signal.reason === OUTPUT_CLOSED) throw OUTPUT_CLOSED;
      writeLine(line);
    },
    say: lineOn(process.stderr),
    ...(progress && { follow: progress.follow }),
  };
  try {
    await createProgram(context).parseAsync();
    // The error of the last line comes after its call.
    await setImmediate();
    if (unwritten !== undefined) throw unwritten;
  } catch (error) {
    process.exitCode = explain(await inWords(firstError(error)), context);
  }
  progress?.follow(null);
  // After a stop signal, the process does not wait for open database calls: the end of the session rolls them back.
  if (stop.signal.aborted) process.exit();
}

/** An error of the database driver, or of a full disk, in our words. Its module is loaded only now: help and usage errors need none. */
async function inWords(error: unknown): Promise<unknown> {
  if (isCrossfootError(error) || error instanceof CommanderError) return error;
  const { exhaustedResource, lostSession, unmigratedLedger } = await import('../../postgres-errors.ts');
  return exhaustedResource(error) ?? lostSession(error) ?? unmigratedLedger(error) ?? error;
}

/** Prints the error and the next step, and returns the exit code. */
function explain(error: unknown, { env, signal, say }: CommandContext): number {
  // Commander has printed its own message; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (signal.reason === OUTPUT_CLOSED) return 1;
  if (signal.aborted) {
    say(signal.reason instanceof Error ? signal.reason.message : 'stopped');
    return 1;
  }
  const person = isReadByPerson(env['LOG_FORMAT']);
  if (!isCrossfootError(error)) {
    const stack = error instanceof Error ? error.stack : undefined;
    if (person) say(`crossfoot: ${String(error)}`);
    else for (const line of (stack ?? String(error)).split('\n')) say(line);
    if (person && stack !== undefined) say('  Run it again with LOG_FORMAT=json to see where.');
    return 1;
  }
  say(person ? `crossfoot: ${error.message} (${error.code})` : `crossfoot: ${error.message}`);
  const next = error.hint ?? (person ? nextStep(error) : undefined);
  if (next !== undefined) say(`  ${next}`);
  return error.exitCode;
}

/** The next step for an error that has no hint of its own; undefined if there is none. */
function nextStep({ code, exitCode }: CrossfootError): string | undefined {
  if (code === 'pull_failed') return 'Run it again: it continues where it stopped.';
  if (exitCode === 2) return 'Add --help to see how the command is called.';
  return exitCode === 1
    ? 'Run `npx --no crossfoot doctor`: it says what is broken, and what to do.'
    : undefined;
}
