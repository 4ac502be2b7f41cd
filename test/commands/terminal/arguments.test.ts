/** What a person may write on the command line, on both sides of each limit. */
import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  isPinName,
  parseCount,
  parseEmail,
  parseId,
  parseLastDay,
  parseNamedSnapshot,
  parsePerson,
  parsePinName,
  parseReason,
  parseSnapshot,
  parseSnapshotId,
  parseText,
} from '../../../src/commands/terminal/arguments.ts';
import { instantOf } from '../../support/instant-of.ts';

const ID = '20261101T020000Z';
const LONG = 'a'.repeat(40);

describe.each<
  [string, (text: string) => unknown, readonly (readonly [string, unknown])[], readonly string[]]
>([
  [
    'an id',
    parseId,
    [
      ['1', 1n],
      ['999999999999999999', 999_999_999_999_999_999n],
    ],
    ['', '0', '01', '-1', '1.5', '1e3', ' 1', '1000000000000000000', 'one'],
  ],
  [
    'a count up to 50',
    parseCount(50),
    [
      ['1', 1],
      ['50', 50],
    ],
    ['', '0', '51', '-1', '1.0', '050', '1000000001'],
  ],
  ['a text', parseText, [[' Ada  Lovelace ', 'Ada  Lovelace']], ['', ' \t']],
  [
    'an e-mail address',
    parseEmail,
    [
      [' ada@example.com ', 'ada@example.com'],
      [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
    ],
    [
      '',
      'ada',
      'ada@',
      '@example.com',
      'a@b@c',
      'ada @example.com',
      'ada@example.com,bo@example.com',
      'ada​@example.com',
      '<ada@example.com>',
      `${'a'.repeat(243)}@example.com`,
    ],
  ],
  [
    'a person',
    parsePerson,
    [
      [' 7 ', 7n],
      ['ada@example.com', 'ada@example.com'],
    ],
    ['', 'ada', '0', 'ada@'],
  ],
  [
    'a snapshot',
    parseSnapshot,
    [
      [ID, ID],
      ['latest', 'latest'],
    ],
    ['', 'newest', '2026-10-close', '20261101', 'Latest', `${ID} `],
  ],
  [
    'a named snapshot',
    parseNamedSnapshot,
    [
      [ID, ID],
      ['latest', 'latest'],
      ['2026-10-close', '2026-10-close'],
      [LONG, LONG],
    ],
    ['', 'Close', `${LONG}a`, '-close', 'a_b', 'newest'],
  ],
  ['the id of a snapshot', parseSnapshotId, [[ID, ID]], ['', 'latest', '2026-10-close', '20261101T0200Z']],
  [
    'the name of a pin',
    parsePinName,
    [
      ['9', '9'],
      [LONG, LONG],
      ['a-', 'a-'],
    ],
    ['', '-a', 'A', `${LONG}a`, 'a b', 'ä', 'a.b'],
  ],
  [
    'a last day',
    parseLastDay,
    // The pin ends as the day does.
    [
      ['2026-12-31', instantOf('2027-01-01T00:00:00.000000Z')],
      ['2028-02-29', instantOf('2028-03-01T00:00:00.000000Z')],
    ],
    ['', '2026-02-29', '2026-13-01', '2026-1-1', '31.12.2026', 'tomorrow'],
  ],
  [
    'a reason',
    parseReason,
    [
      [' Loaded twice ', 'Loaded twice'],
      ['ä'.repeat(500), 'ä'.repeat(500)],
    ],
    ['', '  ', 'two\nlines', 'a\u001b[2J', 'a'.repeat(501)],
  ],
])('the argument that is %s', (_, parse, taken, refused) => {
  it.each(taken.map(([text, value]) => ({ text, value })))('is taken from $text', ({ text, value }) => {
    expect(parse(text)).toBe(value);
  });
  it.each(refused.map((text) => ({ text })))('is refused as $text', ({ text }) => {
    expect(() => parse(text)).toThrow(InvalidArgumentError);
  });
});

it('no pin is named as the newest snapshot is asked for', () => {
  expect(['latest', 'newest', 'close', '2026-10-close'].map(isPinName)).toEqual([false, false, true, true]);
});
