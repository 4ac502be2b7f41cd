/** Describes in one line a forbidden outcome that a campaign found, and where. */
export function violationText(where: string, error: unknown): string {
  return `${where}: ${error instanceof Error ? error.message : String(error)}`;
}
