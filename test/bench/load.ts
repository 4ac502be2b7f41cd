/** Requests over kept connections, one after the other on each, as fast as they are answered. */
import { type Answered, Lane } from './lane.ts';

export interface Load {
  readonly port: number;
  /** The next request's path; asked anew each time. */
  readonly path: () => string;
  readonly headers: Readonly<Record<string, string>>;
  /** Those of the next request, where they are not all the same. */
  readonly headersOf?: () => Readonly<Record<string, string>>;
  /** Of every request, which is then a POST. */
  readonly body?: string;
  readonly connections: number;
  readonly times: number;
  /** The status that every answer must have; 200 when not given. */
  readonly status?: number;
}

export interface Loaded {
  readonly per_second: number;
  /** Milliseconds to the first byte of each answer. */
  readonly first_byte_ms: readonly number[];
  /** Milliseconds to its last byte. */
  readonly whole_ms: readonly number[];
  readonly bytes: number;
  readonly seconds: number;
}

/** Asks so often in all; throws on any answer of another status. */
export async function load(asked: Load): Promise<Loaded> {
  const { port, path, headers, headersOf, body, connections, times, status = 200 } = asked;
  using lanes = new DisposableStack();
  const open = await Promise.all(Array.from({ length: connections }, () => Lane.open(port)));
  for (const lane of open) lanes.use(lane);
  const answers: Answered[] = [];
  let left = times;
  const start = performance.now();
  const run = async (lane: Lane): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const at = path();
      const answer = await lane.ask(at, { ...headers, ...headersOf?.() }, body);
      if (answer.status !== status) throw new Error(`answered ${answer.status} to ${at}`);
      answers.push(answer);
    }
  };
  await Promise.all(open.map(run));
  const seconds = (performance.now() - start) / 1000;
  return {
    per_second: times / seconds,
    first_byte_ms: answers.map(({ first_byte_ms }) => first_byte_ms),
    whole_ms: answers.map(({ whole_ms }) => whole_ms),
    bytes: answers.reduce((bytes, answer) => bytes + answer.bytes, 0),
    seconds,
  };
}
