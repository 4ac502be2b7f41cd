/** Names of accounts, files and columns steer no terminal, and make no line of their own. */
import { expect, it } from 'vitest';
import { printable } from '../../../src/format.ts';
import { textLines } from '../../../src/log-text.ts';
import { runProgram } from '../program.ts';

const TITLE = 'x\u001B]0;owned\u0007\nforged';
const SHOWN = String.raw`x\u001b]0;owned\u0007\nforged`;

it.each([
  [TITLE, SHOWN],
  ['\u009B31m', String.raw`\u009b31m`],
  ['over\rwritten', String.raw`over\u000dwritten`],
  ['\u0000\u0008\u007F', String.raw`\u0000\u0008\u007f`],
  ['a\u202Etxt.exe', String.raw`a\u202etxt.exe`],
  ['a\u2066b\u2028c\u2029', String.raw`a\u2066b\u2028c\u2029`],
  ['half \uD83D', String.raw`half \ud83d`],
  ['one\nline, \r\n and \u0085 too', String.raw`one\nline, \u000d\n and \u0085 too`],
  ['as it is: Ünïcode 表 😀 שלום\ttab', 'as it is: Ünïcode 表 😀 שלום\ttab'],
])('the line %j is printed as %j', (line, expected) => {
  expect(printable(line)).toBe(expected);
});

it('a command prints the signs of a name as escapes', async () => {
  // No database is asked before the file is looked for.
  const url = 'postgres://nobody@127.0.0.1:1/none';
  const env = { LOG_FORMAT: 'text', DATABASE_URL: url, OWNER_URL: url };
  const { code, stderr } = await runProgram(['load', `/nowhere/${TITLE}.csv`], env);
  expect(code).toBe(2);
  expect(stderr[0]).toContain(`/nowhere/${SHOWN}.csv is not a file`);
});

it('a line of the log for a person shows the signs of a name as escapes, too', () => {
  const lines: string[] = [];
  const event = { time: '2026-11-20T02:00:00.000Z', level: 'error', event: 'x', code: 'y', message: TITLE };
  textLines({ write: (text) => lines.push(text) }).write(JSON.stringify({ ...event, hint: TITLE }));
  expect(lines).toEqual([expect.stringMatching(/^02:00:00 error /)]);
  expect(lines[0]?.split(SHOWN)).toHaveLength(3);
  expect(lines[0]).not.toContain(TITLE);
});
