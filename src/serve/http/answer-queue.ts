/**
 * Answers the requests of a connection one after the other. Node hands out every pipelined request once it is parsed, so
 * a slow reader's answers would wait in memory. Here a request starts once the socket has taken the answer before it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: () => void;
}

/** How to answer bytes that the parser refused. */
interface Breakage {
  /** Whether the client closed its side, so that the rest of a body will not arrive. */
  readonly ended: boolean;
  /** Answers the request whose body is malformed. */
  readonly refuse: (response: ServerResponse) => void;
  /** Answers bytes that belong to no request, on the bare socket. */
  readonly refuseUnparsed: () => void;
}

const claimed = new WeakSet<ServerResponse>();

/** Claims the answer to a request; false if it is claimed already. Only the first claimant may write. */
export function claimAnswer(response: ServerResponse): boolean {
  if (claimed.has(response)) return false;
  claimed.add(response);
  return true;
}

/** The requests of one connection, in the order they came. */
export class AnswerQueue {
  readonly #socket: Socket;
  readonly #waiting: Exchange[] = [];
  #running: Exchange | null = null;
  /** The newest request that is answered. Its body may still arrive when a refusal came before the body. */
  #answered: IncomingMessage | null = null;
  #isBroken = false;
  /** Ends a broken connection once every request before the refused bytes is answered. */
  #finish: (() => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node resumes a paused socket after each answer, so pause it again.
    socket.on('resume', () => this.#pause());
  }

  /** Starts the request when its turn comes; requests after a malformed one are not answered. */
  add(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    if (this.#isBroken) return;
    const exchange = { request, response, start };
    if (this.#running === null) return this.#run(exchange);
    this.#waiting.push(exchange);
    this.#pause();
  }

  /**
   * Handles bytes that the parser refused. No request is answered twice, and a refusal never goes into a running
   * answer.
   */
  breakOff({ ended, refuse, refuseUnparsed }: Breakage): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const last = this.#waiting.at(-1) ?? this.#running;
    const request = last?.request ?? this.#answered;
    if (request === null || request.complete) return this.#afterAnswers(refuseUnparsed);
    // The refused bytes are the body of the last request.
    this.#afterAnswers(() => this.#socket.destroySoon());
    if (last === null) return;
    if (last !== this.#running) {
      this.#waiting.pop();
      if (!ended) this.#waiting.push({ ...last, start: () => refuse(last.response) });
    } else if (ended) {
      if (!claimed.has(last.response)) this.#socket.destroy();
    } else if (claimAnswer(last.response)) {
      // A handler that still reads the body must learn that no more bytes will come.
      last.response.once('close', () => last.request.destroy());
      refuse(last.response);
    }
  }

  #run(exchange: Exchange): void {
    this.#running = exchange;
    exchange.start();
    exchange.response.once('close', () => this.#next());
  }

  #next(): void {
    this.#answered = this.#running?.request ?? null;
    this.#running = null;
    // A closing connection answers nothing more; the client repeats the other requests on a new connection.
    if (!this.#socket.writable) return void this.#waiting.splice(0);
    const next = this.#waiting.shift();
    if (next === undefined) this.#finish?.();
    else this.#run(next);
    if (this.#waiting.length === 0) this.#socket.resume();
  }

  #afterAnswers(finish: () => void): void {
    if (this.#running === null) finish();
    else this.#finish = finish;
  }

  /** Stops reading requests while one waits, so that further requests stay with the client. */
  #pause(): void {
    if (this.#waiting.length > 0) this.#socket.pause();
  }
}
