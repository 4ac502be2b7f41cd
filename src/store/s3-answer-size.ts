/** Ends an answer that is longer than a bucket's answers are: the client would read an error of any length into memory. */
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';

/** An error has some hundred bytes, the answer to a write even fewer. */
const MAX_ANSWER_BYTES = 64 * 1024;
const FIRST_ERROR_STATUS = 300;

interface Answer {
  readonly statusCode: number;
  body: unknown;
}

/** Limits all answers of the client's bucket but objects and listings, which are read in pieces or come in pages. */
export function limitAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (sent) => {
      const answered = await next(sent);
      const { response } = answered;
      if (isAnswer(response) && response.body instanceof Readable && !isRead(sent.request, response)) {
        response.body = Readable.from(limited(response.body), { objectMode: false });
      }
      return answered;
    },
    // Before the client reads the answer, and after its handler has got it.
    { step: 'deserialize', priority: 'low', name: 'limitAnswers' },
  );
}

async function* limited(body: Readable): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    yield piece;
  }
}

function isAnswer(response: unknown): response is Answer {
  return typeof response === 'object' && response !== null && 'statusCode' in response && 'body' in response;
}

function isRead(request: unknown, { statusCode }: Answer): boolean {
  const isGet =
    typeof request === 'object' && request !== null && 'method' in request && request.method === 'GET';
  return isGet && statusCode < FIRST_ERROR_STATUS;
}
