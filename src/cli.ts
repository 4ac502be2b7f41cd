#!/usr/bin/env node
/** The command line: parse, call, exit code. 0 done, 1 failed, 2 wrong usage or settings, 3 the audit refused. */
import { createProgram } from './commands/program.ts';
import { runProgram } from './commands/terminal/run-program.ts';

await runProgram(createProgram, process.env);
