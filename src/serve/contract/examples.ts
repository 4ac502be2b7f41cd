/** An example answer of each operation: the company of the fixtures on 15 July 2026. */
import figures from './examples/figures.json' with { type: 'json' };
import reporting from './examples/reporting.json' with { type: 'json' };

/** The example body of each operation with a JSON answer, by operation id. */
export const EXAMPLES: Readonly<Record<string, unknown>> = { ...figures, ...reporting };
