/** The program with all commands, in the order of `--help`. */
import { Command } from 'commander';
import { addAccountCommand } from './account.ts';
import { addBuildCommand, addMomentCommand } from './build.ts';
import type { CommandContext } from '../run/context.ts';
import { addCsvCommand } from './csv.ts';
import { addDeliverCommand } from './deliver/deliver.ts';
import { addDiffCommand } from './diff/diff.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import { addEnqueueCommand } from './enqueue.ts';
import { addInitCommand } from './init.ts';
import { addLoadCommand } from './load.ts';
import { addMigrateCommand } from './migrate.ts';
import { addMonthCommand, addPeopleCommand } from './people/people.ts';
import { addPinCommand, addUnpinCommand } from './pin.ts';
import { addPruneCommand, addRetentionCommand } from './prune.ts';
import { addPullCommand } from './pull/pull.ts';
import { addRatesCommand } from './rates/rates.ts';
import { addReportingCommand } from './reporting.ts';
import { addRetractCommand } from './retract.ts';
import { addScrubCommand } from './scrub.ts';
import { addServeCommand } from './serve.ts';
import { addSnapshotsCommand } from './snapshots.ts';
import { addStartCommand } from './start.ts';
import { addStatusCommand } from './status.ts';
import { addClientsCommand, addTokenCommand } from './token.ts';
import { addVerifyCommand } from './verify.ts';
import { VERSION } from '../version.ts';
import { addWarehouseCommand } from './warehouse.ts';
import { addWebhooksCommand } from './webhooks/webhooks.ts';
import { addWhyCommand } from './why.ts';
import { addNightlyCommand, addWorkCommand } from './work.ts';

/** Every command, ready to parse. Wrong usage is thrown: `runProgram` decides on the exit code. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('npx --no crossfoot')
    .description('Audited reporting snapshots of a ledger of AI initiatives')
    .version(VERSION)
    // Commands inherit this setting from the program.
    .exitOverride();
  addStartCommand(program, context);
  addInitCommand(program, context);
  addAccountCommand(program, context);
  addPeopleCommand(program, context);
  addLoadCommand(program, context);
  addMonthCommand(program, context);
  addRatesCommand(program, context);
  addBuildCommand(program, context);
  addMomentCommand(program, context);
  addEnqueueCommand(program, context);
  addWorkCommand(program, context);
  addNightlyCommand(program, context);
  addServeCommand(program, context);
  addStatusCommand(program, context);
  addWhyCommand(program, context);
  addDoctorCommand(program, context);
  addSnapshotsCommand(program, context);
  addVerifyCommand(program, context);
  addDiffCommand(program, context);
  addCsvCommand(program, context);
  addWarehouseCommand(program, context);
  addPullCommand(program, context);
  addPinCommand(program, context);
  addUnpinCommand(program, context);
  addRetractCommand(program, context);
  addPruneCommand(program, context);
  addScrubCommand(program, context);
  addRetentionCommand(program, context);
  addTokenCommand(program, context);
  addClientsCommand(program, context);
  addReportingCommand(program, context);
  addWebhooksCommand(program, context);
  addDeliverCommand(program, context);
  addMigrateCommand(program, context);
  return program;
}
