#!/usr/bin/env node
/** The command line: parse, call, exit code. 0 done, 1 failed, 2 wrong usage or settings, 3 the audit refused. */
import { CommanderError } from 'commander';
import type { CommandContext } from './run/context.ts';
import { createProgram } from './commands/program.ts';
import { openStatusLine } from './commands/terminal/status-line.ts';
import { isCrossfootError } from './errors.ts';

const stop = new AbortController();
// SIGHUP is a closed terminal: unheard, it would end us and leave the embedded server, which has no terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
}

/** The reason of the stop when the reader of a pipe left early, as `head` does. */
const OUTPUT_CLOSED = new Error('the output was closed');
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  stop.abort(OUTPUT_CLOSED);
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error; // without a reader there is nothing to say
});

const status = openStatusLine(process.stderr);
const lineOn =
  (stream: NodeJS.WriteStream) =>
  (line: string): void => {
    status.clear();
    stream.write(`${line}\n`);
  };
const writeLine = lineOn(process.stdout);
const context: CommandContext = {
  env: process.env,
  signal: stop.signal,
  print(line) {
    // A command that prints rows ends here, and on its way out closes what it opened.
    if (stop.signal.reason === OUTPUT_CLOSED) throw OUTPUT_CLOSED;
    writeLine(line);
  },
  say: lineOn(process.stderr),
  follow: status.show,
};

try {
  await createProgram(context).parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}
status.clear();
// Told to stop, it does not wait for what a database has not answered yet: the end of a session rolls it back.
if (stop.signal.aborted) process.exit();

/** Says what went wrong and what to do, and gives the exit code. */
function explain(error: unknown): number {
  // Commander has said its own word already; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (stop.signal.reason === OUTPUT_CLOSED) return 1;
  if (stop.signal.aborted) {
    context.say(stop.signal.reason instanceof Error ? stop.signal.reason.message : 'stopped');
    return 1;
  }
  if (!isCrossfootError(error)) {
    context.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
  context.say(`crossfoot: ${error.message}`);
  if (error.hint !== undefined) context.say(`  ${error.hint}`);
  return error.exitCode;
}
