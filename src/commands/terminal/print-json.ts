import type { CommandContext } from '../../run/context.ts';

/**
 * Prints JSON on several lines, for people and programs. `print` makes one line of its argument, because names may have line
 * breaks; JSON escapes those itself.
 */
export function printJson(print: CommandContext['print'], value: unknown): void {
  for (const line of JSON.stringify(value, null, 2).split('\n')) print(line);
}
