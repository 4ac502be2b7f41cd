/** The first error: closing resources may fail afterwards, and must not replace the first message or exit code. */
export function firstError(error: unknown): unknown {
  return error instanceof SuppressedError ? firstError(error.suppressed) : error;
}
