/** A cache of figures that are slow to compute, each returned only while it is still valid. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';

const ANSWER_BYTES = 512;

/** An answer, and the proof that later shows whether it is still valid, such as the version of the rows. */
export interface WorkedOut<Answer, Proof> {
  readonly answer: Answer;
  readonly proof: Proof;
}

export interface FigureWork<Answer, Proof> {
  /** Whether a cached answer is still valid; called at each request. */
  readonly stands: (proof: Proof) => Promise<boolean>;
  readonly workOut: () => Promise<WorkedOut<Answer, Proof>>;
}

/**
 * A cache of one kind of answer. Returns only values computed or revalidated after the request arrived; concurrent
 * identical requests share one computation.
 */
export class FigureCache<Answer, Proof> {
  readonly #cache = new Cache<string, WorkedOut<Answer, Proof>>({
    max_bytes: MEMORY_BUDGET.live_answers,
    bytesOf: () => ANSWER_BYTES,
  });

  /** The answer for `key`. */
  async answer(key: string, { stands, workOut }: FigureWork<Answer, Proof>): Promise<Answer> {
    // A computation already running may predate this request: await it, then revalidate its result like any other.
    // Its failure is reported to the requests that started it.
    await this.#cache.settled(key);
    const kept = this.#cache.peek(key);
    if (kept !== undefined && (await stands(kept.proof))) return kept.answer;
    // A computation that is running now has started after this request arrived.
    const { answer } = await this.#cache.renew(key, workOut);
    return answer;
  }
}
