/** The progress line, on a stream that stands in for a terminal, by a clock that is set by hand. */
import { Writable } from 'node:stream';
import { beforeEach, expect, it } from 'vitest';
import { openProgress, type Progress } from '../../../src/commands/terminal/progress.ts';

class TerminalStandIn extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  readonly written: string[] = [];

  constructor(columns = 60) {
    super();
    this.columns = columns;
  }

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.written.push(piece.toString());
    done();
  }
}

let now_ms: number;
let ticks: Set<() => void>;
beforeEach(() => {
  now_ms = 500_000;
  ticks = new Set();
});

function progressOn(terminal: TerminalStandIn): Progress {
  return openProgress(terminal, {
    clock: () => now_ms,
    every: (_ms, run) => {
      ticks.add(run);
      return () => ticks.delete(run);
    },
  });
}

/** Lets so many seconds pass, with a tick after each. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    now_ms += 1_000;
    for (const tick of ticks) tick();
  }
}

it('the progress line shows nothing of a step that ends within two seconds', () => {
  const terminal = new TerminalStandIn();
  const { follow } = progressOn(terminal);
  follow('costs', { rows: 1_000 });
  pass(1);
  follow('budgets');
  pass(1);
  follow(null);
  pass(10);
  expect(terminal.written).toEqual([]);
});

it('the progress line shows after two seconds the finished rows and the rows a second, over the line before', () => {
  const terminal = new TerminalStandIn();
  const { follow } = progressOn(terminal);
  follow('costs');
  follow('costs', { rows: 1_000 });
  pass(2);
  follow('costs', { rows: 40_000 });
  pass(2);
  expect(terminal.written).toEqual([
    '\rcosts … 1,000 rows, 500 rows/s\u001B[K',
    '\rcosts … 40,000 rows, 13,333 rows/s\u001B[K',
    '\rcosts … 40,000 rows, 10,000 rows/s\u001B[K',
  ]);
});

it('the progress line shows bytes and their total, and the seconds of a step that counts nothing', () => {
  const terminal = new TerminalStandIn();
  const { follow } = progressOn(terminal);
  follow('downloading', { bytes: 5_000_000, of: 20_000_000 });
  pass(2);
  follow('audit');
  pass(2);
  expect(terminal.written).toEqual([
    '\rdownloading … 5.0 MB of 20.0 MB, 2.5 MB/s\u001B[K',
    '\r\u001B[K',
    '\raudit … 2 s\u001B[K',
  ]);
});

it('the progress line is cleared once before other lines, and is shown again while the step goes on', () => {
  const terminal = new TerminalStandIn();
  const { follow, clear } = progressOn(terminal);
  clear();
  follow('audit');
  pass(2);
  clear();
  clear();
  pass(1);
  follow(null);
  pass(5);
  expect(terminal.written).toEqual([
    '\raudit … 2 s\u001B[K',
    '\r\u001B[K',
    '\raudit … 3 s\u001B[K',
    '\r\u001B[K',
  ]);
});

it('the progress line is cut before it wraps, and has the usual width on a terminal without a width', () => {
  const [narrow, unknown] = [new TerminalStandIn(6), new TerminalStandIn(0)];
  for (const terminal of [narrow, unknown]) progressOn(terminal).follow('x'.repeat(100));
  pass(2);
  expect(narrow.written).toEqual(['\rxxxxx\u001B[K']);
  expect(unknown.written).toEqual([`\r${'x'.repeat(79)}\u001B[K`]);
});
