/** `npm run generate`: writes the generated files; with `-- --check` it only fails if a file is stale. */
import { runProgram } from '../src/commands/terminal/run-program.ts';
import { createGenerateProgram } from './generate/command.ts';

await runProgram(createGenerateProgram, process.env);
