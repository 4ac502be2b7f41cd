/** `npm run generate`: writes the files that are made from the declarations; with `-- --check` it fails if one is stale. */
import { runProgram } from '../src/commands/terminal/run-program.ts';
import { createGenerateProgram } from './generate/command.ts';

await runProgram(createGenerateProgram, process.env);
