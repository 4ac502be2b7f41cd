/** Runs one command of the program in this process, and keeps what it printed and said. */
import { Command } from 'commander';
import type { CommandContext } from '../../src/run/context.ts';

export interface Ran {
  /** What went to stdout, a line each. */
  readonly printed: readonly string[];
  /** What went to stderr. */
  readonly said: readonly string[];
  /** How it failed; undefined when it did not. */
  readonly error: unknown;
}

type AddCommand = (program: Command, context: CommandContext) => void;

/** Runs `crossfoot <args>` with a program that has this command alone. */
export function runCommand(add: AddCommand, env: CommandContext['env'], ...args: string[]): Promise<Ran> {
  return runCommandWith({}, add, env, ...args);
}

/** The same with parts of another context: as on a terminal, where `follow` hears the steps, or with a signal that stops it. */
export async function runCommandWith(
  context: Partial<Pick<CommandContext, 'follow' | 'print' | 'signal'>>,
  add: AddCommand,
  env: CommandContext['env'],
  ...args: readonly string[]
): Promise<Ran> {
  const printed: string[] = [];
  const said: string[] = [];
  const program = new Command('crossfoot').exitOverride().configureOutput({
    writeOut: (text) => printed.push(text),
    writeErr: (text) => said.push(text),
  });
  add(program, {
    env,
    signal: new AbortController().signal,
    print: (line) => printed.push(line),
    say: (line) => said.push(line),
    ...context,
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return { printed, said, error: undefined };
  } catch (error) {
    return { printed, said, error };
  }
}
