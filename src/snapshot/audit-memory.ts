/** How much the audit's engine may hold. */

// Measured on ledgers of 2,500 and 10,000 initiatives, whose control totals are 1.5 and 5.2 MB: the engine reads them
// in one piece, into tables of texts, and asked for 64 and 112 MB to do so.
const READING_MB = 64;
const MB_FOR_EACH = 13;

/**
 * The limit of the engine, as it says it: what is asked for, or more where the control totals, whose rows grow with the
 * initiatives and not with the entries, would not fit. Tables do not count: what they need beyond it is spilled.
 */
export function auditMemory(least_mb: number, control_bytes: number): string {
  return `${Math.max(least_mb, READING_MB + Math.ceil((MB_FOR_EACH * control_bytes) / 1e6))}MB`;
}
