/** What each operation answers, for example: the company of the fixtures on 15 July 2026. */
import figures from './examples/figures.json' with { type: 'json' };
import reporting from './examples/reporting.json' with { type: 'json' };

/** The body of each operation that answers JSON, by its operation id. */
export const EXAMPLES: Readonly<Record<string, unknown>> = { ...figures, ...reporting };
