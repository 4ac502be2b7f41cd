/** What went wrong first: closing what was opened may fail after it, and must not take its message or exit code. */
export function firstError(error: unknown): unknown {
  return error instanceof SuppressedError ? firstError(error.suppressed) : error;
}
