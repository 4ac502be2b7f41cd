import { RAW_JSON } from '../../format.ts';
import type { CommandContext } from '../../run/context.ts';

/**
 * Prints JSON on several lines, for people and programs. `print` makes one line of its argument, because names may have line
 * breaks; JSON escapes those itself. Ids, counts and cents are exact numbers, also those of 64 bits.
 */
export function printJson(print: CommandContext['print'], value: unknown): void {
  const text = JSON.stringify(
    value,
    (_, each: unknown) => (typeof each === 'bigint' ? RAW_JSON.rawJSON(String(each)) : each),
    2,
  );
  for (const line of text.split('\n')) print(line);
}
