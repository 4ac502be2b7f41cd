/** The report of an audit, as it stands beside the files that it is about. */
import { z } from 'zod';

const report = z.object({
  engine: z.string(),
  checks: z.array(z.object({ name: z.string(), rows_examined: z.number(), passed: z.boolean() })),
  windows: z.array(z.object({ place: z.string(), expected: z.string(), found: z.string() })),
});

export type AuditFile = z.infer<typeof report>;

/** What a page shows of it; null where it is written in no way that this program knows. */
export function decodeAudit(bytes: Uint8Array): AuditFile | null {
  try {
    return report.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}
