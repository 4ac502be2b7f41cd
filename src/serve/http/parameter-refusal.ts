import { CrossfootError } from '../../errors.ts';

/** The first fault of a query as a sentence: it names the parameter and never repeats its value. */
export function parameterRefusal(error: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[];
}): CrossfootError {
  const [issue] = error.issues;
  const name = String(issue?.path[0]);
  return new CrossfootError('parameter_refused', `The parameter ${name} ${issue?.message}.`);
}
