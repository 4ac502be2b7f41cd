/** The program as a whole: its commands, each from its own file. */
import { Command } from 'commander';
import { addBuildCommand } from './actions/build.ts';
import type { CommandContext } from '../run/context.ts';
import { addCsvCommand } from './actions/csv.ts';
import { addDiffCommand } from './diff/compare.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import { addEnqueueCommand } from './actions/enqueue.ts';
import { addLoadCommand } from './actions/load.ts';
import { addMigrateCommand } from './actions/migrate.ts';
import { addPinCommand, addUnpinCommand } from './actions/pin.ts';
import { addPruneCommand } from './actions/prune.ts';
import { addPullCommand } from './pull/pull-snapshot.ts';
import { addRatesCommand } from './rates/rates.ts';
import { addReportingCommand } from './actions/reporting.ts';
import { addRetractCommand } from './actions/retract.ts';
import { addScrubCommand } from './actions/scrub.ts';
import { addServeCommand } from './actions/serve.ts';
import { addSnapshotsCommand } from './actions/snapshots.ts';
import { addStartCommand } from './actions/start.ts';
import { addStatusCommand } from './actions/status.ts';
import { addTokenCommand } from './actions/token.ts';
import { addVerifyCommand } from './actions/verify.ts';
import { VERSION } from '../version.ts';
import { addWarehouseCommand } from './actions/warehouse.ts';
import { addWebhooksCommand } from './webhooks/manage.ts';
import { addWhyCommand } from './actions/why.ts';
import { addWorkCommand } from './actions/work.ts';

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
  addDiffCommand(program, context);
  addCsvCommand(program, context);
  addWarehouseCommand(program, context);
  addPullCommand(program, context);
  addPinCommand(program, context);
  addUnpinCommand(program, context);
  addRetractCommand(program, context);
  addPruneCommand(program, context);
  addScrubCommand(program, context);
  addTokenCommand(program, context);
  addReportingCommand(program, context);
  addWebhooksCommand(program, context);
  addMigrateCommand(program, context);
  return program;
}
