#!/usr/bin/env node
/** The command line: parse, call, exit code. 0 done, 1 failed, 2 wrong usage or settings, 3 the audit refused. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Without types and compiled, as the first run left it: help takes half the time, and 70 MB instead of 90. It lies beside
// the packages, where nobody may write who could not change the program itself; where it cannot be kept, nothing is.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/crossfoot', import.meta.url)));

// Imported only now: what stands above is loaded before the cache is open.
const { createProgram } = await import('./commands/program.ts');
const { runProgram } = await import('./commands/terminal/run-program.ts');

await runProgram(createProgram, process.env);
