/** `npm run seed -- --rows 100000`: fills new accounts of a ledger with generated rows; equal seeds give equal rows. */
import { runProgram } from '../src/commands/terminal/run-program.ts';
import { createSeedProgram } from './seed/command.ts';

await runProgram(createSeedProgram, process.env);
