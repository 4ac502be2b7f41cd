/** Which command a person runs next, as whole sentences. */
import { describe, expect, it } from 'vitest';
import {
  lookWords,
  mendingCommand,
  mendingWords,
  nextLook,
  type PendingBuild,
  pendingWords,
  shellWord,
} from '../src/next-step.ts';
import { instantOf } from './support/instant-of.ts';

const pending = (state: PendingBuild['state'], untaken = false): PendingBuild => ({
  account_id: 7n,
  state,
  at: instantOf('2026-07-15T02:31:59.000000Z'),
  tries: 2,
  max_tries: 6,
  untaken,
});

it.each([
  ['queued', 'a build is queued for', 'a build was due at', ''],
  ['retry', 'a retry follows at about', 'a retry was due at about', ''],
  ['building', 'a build is running since', 'a build began at', ' and its worker ended'],
] as const)(
  'the words for a build that is %s have its time and its try, taken or not',
  (state, words, late, ended) => {
    const at = '2026-07-15 02:31 UTC';
    const told = `${words} ${at}, try 2 of 6`;
    const untaken = `${late} ${at}${ended}, try 2 of 6; no worker takes it`;
    expect(pendingWords(pending(state))).toBe(told);
    expect(pendingWords(pending(state, true))).toBe(untaken);
    expect(nextLook(pending(state))).toEqual({
      command: 'npx --no crossfoot why --account 7',
      why: `${told}; look again then`,
    });
    expect(nextLook(pending(state, true))).toEqual({
      command: 'npx --no crossfoot work',
      why: `${untaken}: start a worker, or read the log of the running one`,
    });
    expect(lookWords(pending(state))).toBe(
      `A${told.slice(1)}; look again then: npx --no crossfoot why --account 7`,
    );
  },
);

describe('a newest snapshot', () => {
  it.each([
    [
      'damaged',
      'builds a new snapshot in the place of the damaged one; restoring its files helps, too',
      'Build a new one: npx --no crossfoot enqueue --account 7. Or restore the files from a copy, then run npx --no crossfoot scrub --account 7',
    ],
    [
      'retracted',
      'builds a new snapshot in the place of the retracted one, once the ledger is right',
      'Correct the ledger, then build a new one: npx --no crossfoot enqueue --account 7',
    ],
  ] as const)('that is %s is built anew, unless a build waits', (fault, why, words) => {
    expect(mendingCommand(7n, fault, null)).toEqual({
      command: 'npx --no crossfoot enqueue --account 7',
      why,
    });
    expect(mendingWords(7n, fault, null)).toBe(words);
    const waits = pending('queued');
    expect([mendingCommand(7n, fault, waits), mendingWords(7n, fault, waits)]).toEqual([
      nextLook(waits),
      lookWords(waits),
    ]);
  });
});

it.each([
  ['2026-10_close.v2/a', '2026-10_close.v2/a'],
  ['', "''"],
  ['two words', "'two words'"],
  ["Ada's $HOME", String.raw`'Ada'\''s $HOME'`],
  ['ä', "'ä'"],
])('a shell takes %j as %s', (name, word) => {
  expect(shellWord(name)).toBe(word);
});
