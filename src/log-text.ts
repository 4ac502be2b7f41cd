/** Writes the log for a person: one short line per event, made from the JSON line of the event. */
import { styleText } from 'node:util';
import { printable, shownDuration, shownSize } from './format.ts';
import { FOLLOW_HINT, LOG_EVENTS } from './log-events.ts';

type Value = string | number;
type Fields = Readonly<Record<string, Value>>;

/** The output of the lines: standard error, or an object of a test. */
export interface LogOutput {
  readonly isTTY?: boolean;
  /** False also if NO_COLOR is set. */
  hasColors?(): boolean;
  write(text: string): unknown;
}

const EVENTS = new Map(Object.values(LOG_EVENTS).flatMap((events) => Object.entries(events)));
const COLOURS = { error: 'red', fatal: 'red', warn: 'yellow' } as const;
/** The start of a second line, indented by the width of the time. */
const INDENT = '\n         ';
/** Erases the progress line that this process, or the process that started it, may have left on the terminal. */
const ERASE_LINE = '\r\u001B[K';
/** Fields that are shown without their name, because the value alone is clear. */
const PLAIN = ['file', 'method', 'outcome', 'route', 'status', 'step', 'url'];
const NO_STEP = 'Set LOG_FORMAT=json: the line then says where in the program.';

/** Returns a writer that takes JSON lines of the log and writes each as text to `output`. */
export function textLines(output: LogOutput): { write(line: string): void } {
  return {
    write(line) {
      const text = textOf(JSON.parse(line) as Fields, output); // as the log writes it: flat
      output.write(`${output.isTTY === true ? ERASE_LINE : ''}${text}\n`);
    },
  };
}

/** The text of an event: UTC time, level unless it is info, meaning, values and error; on a second line the next step. */
function textOf({ time = '', level = '', event = '', ...fields }: Fields, output: LogOutput): string {
  const {
    meaning: [said] = [`${event}.`],
    remedy = '',
    fields: declared = [],
  } = EVENTS.get(String(event)) ?? {};
  const shown = declared.filter((name) => name !== 'error' && (name !== 'request_id' || level !== 'info'));
  const values = shown.flatMap((name) => (fields[name] === undefined ? [] : shownField(name, fields[name])));
  const words = [said?.slice(0, -1), ...(values.length > 0 ? [`(${values.join(', ')})`] : [])].join(' ');
  const sentence = [words, errorText(fields)].filter((part) => part !== '').join(': ');
  const next = printable(nextStep(fields, remedy));
  const head = `${String(time).slice(11, 19)} ${levelWord(String(level), output)}`;
  return `${head}${printable(sentence)}${next === '' ? '' : INDENT + next}`;
}

function levelWord(level: string, output: LogOutput): string {
  if (level === 'info') return '';
  const colour = Object.entries(COLOURS).find(([name]) => name === level)?.[1];
  if (colour === undefined || output.hasColors?.() !== true) return `${level} `;
  return `${styleText(colour, level, { validateStream: false })} `;
}

function shownField(name: string, value: Value): string {
  if (name === 'ms') return shownDuration(Number(value));
  if (name === 'bytes') return shownSize(Number(value));
  return PLAIN.includes(name) ? String(value) : `${name} ${value}`;
}

/** The code and message of a catalogued error; for any other error, the classes of the error and its causes. */
function errorText({ code, message, error }: Fields): string {
  if (message !== undefined) return `${code}: ${message}`;
  return String(error ?? code ?? '');
}

/** The hint of the error, or else the remedy that the event declares. */
function nextStep({ hint, message, stack }: Fields, remedy: string): string {
  if (hint !== undefined) return String(hint);
  const step = remedy === FOLLOW_HINT ? '' : remedy;
  return step === '' && stack !== undefined && message === undefined ? NO_STEP : step;
}
