/** Figures that took long to work out, kept while they stand. */
import { Cache } from '../../cache.ts';

/** Portfolios and initiatives that are asked for again and again; an answer is half a kilobyte. */
const MAX_KEPT = 10_000;

/** What was worked out, and what shows whether it stands. */
export interface WorkedOut<Answer, Proof> {
  readonly answer: Answer;
  readonly proof: Proof;
}

export interface FigureWork<Answer, Proof> {
  /** Asked anew for each request, of what was worked out before the request came: does it stand now? */
  readonly stands: (proof: Proof) => Promise<boolean>;
  readonly workOut: () => Promise<WorkedOut<Answer, Proof>>;
}

/**
 * Answers of one kind by what was asked. Nothing is answered that is not of a moment since the request came, or shown to
 * stand since then; of those who ask the same at once, one has it worked out for all.
 */
export class KeptFigures<Answer, Proof> {
  readonly #cache = new Cache<string, WorkedOut<Answer, Proof>>({ max_entries: MAX_KEPT });

  /** The answer to what `key` names. */
  async answer(key: string, { stands, workOut }: FigureWork<Answer, Proof>): Promise<Answer> {
    // What is under way may be of a moment before this request: it is waited for, and then asked about like all that is kept.
    // If it fails, that is told to those who began it.
    await this.#cache.settled(key);
    const kept = this.#cache.peek(key);
    if (kept !== undefined && (await stands(kept.proof))) return kept.answer;
    // What is under way by now has begun since.
    const { answer } = await this.#cache.renew(key, workOut);
    return answer;
  }
}
