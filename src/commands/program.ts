/** The program as a whole: its commands, each from its own file. */
import { Command } from 'commander';
import { addBuildCommand } from './build.ts';
import type { CommandContext } from './command.ts';
import { addDoctorCommand } from './doctor.ts';
import { addEnqueueCommand } from './enqueue.ts';
import { addGenerateCommand } from './generate.ts';
import { addLoadCommand } from './load.ts';
import { addMigrateCommand } from './migrate.ts';
import { addPruneCommand } from './prune.ts';
import { addRatesCommand } from './rates.ts';
import { addReportingCommand } from './reporting.ts';
import { addSchemaCommand } from './schema.ts';
import { addServeCommand } from './serve.ts';
import { addSnapshotsCommand } from './snapshots.ts';
import { addStartCommand } from './start.ts';
import { addStatusCommand } from './status.ts';
import { addTokenCommand } from './token.ts';
import { addVerifyCommand } from './verify.ts';
import { VERSION } from './version.ts';
import { addWebhooksCommand } from './webhooks.ts';
import { addWhyCommand } from './why.ts';
import { addWorkCommand } from './work.ts';

/** Every command, ready to parse; wrong usage is thrown, so that one place decides on the exit code. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('crossfoot')
    .description('Audited reporting snapshots of a ledger of AI initiatives')
    .version(VERSION)
    // Commands inherit it from the program that they are added to.
    .exitOverride();
  addStartCommand(program, context);
  addLoadCommand(program, context);
  addRatesCommand(program, context);
  addBuildCommand(program, context);
  addEnqueueCommand(program, context);
  addWorkCommand(program, context);
  addServeCommand(program, context);
  addStatusCommand(program, context);
  addWhyCommand(program, context);
  addDoctorCommand(program, context);
  addSnapshotsCommand(program, context);
  addVerifyCommand(program, context);
  addPruneCommand(program, context);
  addTokenCommand(program, context);
  addReportingCommand(program, context);
  addWebhooksCommand(program, context);
  addMigrateCommand(program, context);
  addGenerateCommand(program, context);
  addSchemaCommand(program, context);
  return program;
}
