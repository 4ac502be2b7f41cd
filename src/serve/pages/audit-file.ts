/** Reads a snapshot's audit report, for pages. */
import { z } from 'zod';

const report = z.object({
  engine: z.string(),
  checks: z.array(z.object({ name: z.string(), rows_examined: z.number(), passed: z.boolean() })),
  windows: z.array(z.object({ place: z.string(), expected: z.string(), found: z.string() })),
});

export type AuditFile = z.infer<typeof report>;

/** The part of the report that pages show; null if this program cannot read the report. */
export function decodeAudit(bytes: Uint8Array): AuditFile | null {
  try {
    return report.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}
