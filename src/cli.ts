#!/usr/bin/env node
/** The command line: parse, call, exit code. 0 done, 1 failed, 2 wrong usage or settings, 3 the audit refused. */
import { Command, CommanderError } from 'commander';
import { addBuildCommand } from './commands/build.ts';
import type { CommandContext } from './commands/command.ts';
import { addLoadCommand } from './commands/load.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addSchemaCommand } from './commands/schema.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStartCommand } from './commands/start.ts';
import { VERSION } from './commands/version.ts';
import { isCrossfootError } from './errors.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
}

const context: CommandContext = {
  env: process.env,
  signal: stop.signal,
  print: (line) => void process.stdout.write(`${line}\n`),
  say: (line) => void process.stderr.write(`${line}\n`),
};

const program = new Command('crossfoot')
  .description('Audited reporting snapshots of a ledger of AI initiatives')
  .version(VERSION)
  .exitOverride();
addStartCommand(program, context);
addLoadCommand(program, context);
addBuildCommand(program, context);
addServeCommand(program, context);
addMigrateCommand(program, context);
addSchemaCommand(program, context);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}

/** Says what went wrong and what to do, and gives the exit code. */
function explain(error: unknown): number {
  // Commander has said its own word already; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
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
