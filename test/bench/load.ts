/** Requests over kept connections, one after the other on each, as fast as they are answered. */
import { Agent, request } from 'node:http';

export interface Load {
  readonly port: number;
  /** The next request's path; asked anew each time. */
  readonly path: () => string;
  readonly headers: Readonly<Record<string, string>>;
  /** Those of the next request, where they are not all the same. */
  readonly headersOf?: () => Readonly<Record<string, string>>;
  readonly connections: number;
  readonly times: number;
  /** The status that every answer must have; 200 when not given. */
  readonly status?: number;
}

export interface Loaded {
  readonly per_second: number;
  /** Milliseconds to the first byte of the body's headers, sorted. */
  readonly first_byte_ms: readonly number[];
  /** Milliseconds to the last byte, sorted. */
  readonly whole_ms: readonly number[];
  readonly bytes: number;
  readonly seconds: number;
}

/** Asks so often in all; throws on any answer of another status. */
export async function load(asked: Load): Promise<Loaded> {
  const { port, path, headers, headersOf, connections, times, status = 200 } = asked;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const first: number[] = [];
  const whole: number[] = [];
  let left = times;
  let bytes = 0;
  const start = performance.now();
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const began = performance.now();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sent = request(
        { host: '127.0.0.1', port, path: path(), headers: { ...headers, ...headersOf?.() }, agent },
        (answer) => {
          first.push(performance.now() - began);
          if (answer.statusCode !== status)
            reject(new Error(`answered ${answer.statusCode} to ${sent.path}`));
          answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
          answer.on('end', resolve).on('error', reject);
        },
      );
      sent.on('error', reject).end();
      await promise;
      whole.push(performance.now() - began);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, lane));
  } finally {
    agent.destroy();
  }
  const seconds = (performance.now() - start) / 1000;
  return {
    per_second: times / seconds,
    first_byte_ms: ascending(first),
    whole_ms: ascending(whole),
    bytes,
    seconds,
  };
}

function ascending(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}

/** The value below which so many hundredths of the sorted values lie. */
export function percentile(sorted: readonly number[], hundredths: number): number {
  return sorted[Math.max(0, Math.ceil((sorted.length * hundredths) / 100) - 1)] ?? NaN;
}
