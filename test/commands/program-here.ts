/** The whole program in the test's own process, which takes a hundredth of the time of one of its own. */
import type { Command } from 'commander';
import { createProgram } from '../../src/commands/program.ts';
import type { Environment } from './program.ts';

export interface ProgramHere {
  readonly program: Command;
  /** What goes to stdout, help included. */
  readonly printed: readonly string[];
  /** What a command says on stderr. */
  readonly said: readonly string[];
}

/** Every command, with these settings and without a signal that stops it. */
export function programHere(env: Environment = {}): ProgramHere {
  const printed: string[] = [];
  const said: string[] = [];
  const program = createProgram({
    env,
    signal: new AbortController().signal,
    print: (line) => printed.push(line),
    say: (line) => said.push(line),
  });
  for (const each of [program, ...program.commands]) {
    each.configureOutput({ writeOut: (text) => printed.push(text), writeErr: () => undefined });
  }
  return { program, printed, said };
}

/** The names of all commands. */
export function commandNames(): readonly string[] {
  return programHere().program.commands.map((command) => command.name());
}
