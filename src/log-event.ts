/** How one log event is declared. */

export interface LogEvent {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: readonly string[];
  /** Sentences of Markdown. A terminal shows the first. */
  readonly meaning: readonly string[];
  /** The next step of a person, as an imperative; empty when there is nothing to do. */
  readonly remedy: string;
}

const at =
  (level: LogEvent['level']) =>
  (fields: string, meaning: string | readonly string[], remedy = ''): LogEvent => ({
    level,
    fields: fields === '' ? [] : fields.split(' '),
    meaning: typeof meaning === 'string' ? [meaning] : meaning,
    remedy,
  });
export const [debug, info, warn, error] = [at('debug'), at('info'), at('warn'), at('error')];
