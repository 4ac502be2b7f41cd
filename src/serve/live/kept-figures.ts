/** Figures that took long to work out, kept while they stand. */
import { boundedMap } from '../../cache.ts';

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
  readonly #kept = boundedMap<string, WorkedOut<Answer, Proof>>(MAX_KEPT);
  readonly #underWay = new Map<string, Promise<WorkedOut<Answer, Proof>>>();

  /** The answer to what `key` names. */
  async answer(key: string, { stands, workOut }: FigureWork<Answer, Proof>): Promise<Answer> {
    // What is under way may be of a moment before this request: it is waited for, and then asked about like all that is kept.
    // If it fails, that is told to those who began it.
    await this.#underWay.get(key)?.catch(() => undefined);
    const kept = this.#kept.get(key);
    if (kept !== undefined && (await stands(kept.proof))) return kept.answer;
    // What is under way by now has begun since.
    const { answer } = await (this.#underWay.get(key) ?? this.#begin(key, workOut));
    return answer;
  }

  async #begin(
    key: string,
    workOut: FigureWork<Answer, Proof>['workOut'],
  ): Promise<WorkedOut<Answer, Proof>> {
    const underWay = workOut();
    this.#underWay.set(key, underWay);
    try {
      const worked = await underWay;
      this.#kept.set(key, worked);
      return worked;
    } finally {
      this.#underWay.delete(key);
    }
  }
}
