/** The two ways to send: many requests on one connection, each before the last is answered; or any bytes on one of their own. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Answer, AnswerReader } from './answer-reader.ts';
import type { Asked } from './described-requests.ts';

/** Longer than the longest time limit of the server. */
const PATIENCE_MS = 120_000;

/** What became of a request: undefined when the connection ended, in good order, before its turn. */
export type Outcome = { readonly asked: Asked; readonly answer: Answer } | { readonly asked: Asked };

/** A connection that is kept, and made anew when the server closed it. */
export class Kept {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends them all at once and waits for every answer; what the server closed before answering has none. */
  async ask(batch: readonly Asked[]): Promise<readonly Outcome[]> {
    // A connection that the server closed after its last answer gets no further request.
    const socket = this.#socket?.writable === true ? this.#socket : await open(this.#port);
    this.#socket = socket;
    const reader = new AnswerReader();
    const outcomes: Outcome[] = [];
    const over = Promise.withResolvers<void>();
    const take = (bytes: Buffer): void => {
      reader.push(bytes);
      for (;;) {
        const asked = batch[outcomes.length];
        if (asked === undefined) return over.resolve();
        const answer = reader.next(asked.method === 'HEAD');
        if (answer === undefined) return;
        outcomes.push({ asked, answer });
        if (outcomes.length === batch.length) over.resolve();
      }
    };
    const late = setTimeout(
      () => over.reject(new Error(unanswered(batch[outcomes.length]?.bytes ?? ''))),
      PATIENCE_MS,
    );
    socket.on('data', take).once('close', over.resolve);
    socket.write(batch.map(({ bytes }) => bytes).join(''), 'latin1');
    try {
      await over.promise;
    } finally {
      clearTimeout(late);
      socket.off('data', take).off('close', over.resolve);
      if (outcomes.length < batch.length) this.close();
    }
    return [...outcomes, ...batch.slice(outcomes.length).map((asked) => ({ asked }))];
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

/** Sends these bytes, ends its own side, and gives all answers that came until the server closed. */
export async function sendRaw(port: number, bytes: string): Promise<{ answers: Answer[]; left: string }> {
  const socket = await open(port);
  const reader = new AnswerReader();
  socket.on('data', (chunk) => reader.push(chunk));
  const closed = once(socket, 'close');
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, PATIENCE_MS);
  socket.end(bytes, 'latin1');
  await closed;
  clearTimeout(late);
  if (isLate) throw new Error(unanswered(bytes));
  const answers: Answer[] = [];
  for (;;) {
    const answer = reader.next(bytes.startsWith('HEAD'));
    if (answer === undefined) return { answers, left: reader.left };
    answers.push(answer);
  }
}

function unanswered(bytes: string): string {
  return `no answer in two minutes to ${JSON.stringify(bytes.slice(0, 500))}`;
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => socket.destroy()); // a reset ends the exchange like a close does
  await once(socket, 'connect');
  return socket;
}
