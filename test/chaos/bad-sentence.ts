/** One sentence about what must not have happened: where, and what was found there. */
export function badSentence(where: string, error: unknown): string {
  return `${where}: ${error instanceof Error ? error.message : String(error)}`;
}
