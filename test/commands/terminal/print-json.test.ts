import { expect, it } from 'vitest';
import { printJson } from '../../../src/commands/terminal/print-json.ts';

it('JSON of a command has every digit of a number of 64 bits', () => {
  const lines: string[] = [];
  // Three times 90,071,992,547,409.91 in cents: more than a double holds exactly.
  printJson((line) => lines.push(line), {
    inserted: 3,
    sums: [{ currency: 'USD', amount_cents: 27_021_597_764_222_973n }],
  });
  expect(lines.join('\n')).toContain('"amount_cents": 27021597764222973');
  expect(lines[1]).toBe('  "inserted": 3,');
});
