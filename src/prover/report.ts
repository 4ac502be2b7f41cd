/** A proof as a text to save: what was checked, when, and every figure. */
import type { Proof } from './prove.ts';
import { FIGURES } from './totals.ts';

const OUTCOMES = {
  proven: 'Proven: signature, publish log, files and totals are right.',
  unsigned: 'The files and totals are right. The snapshot was published before snapshots were signed.',
  refused: 'Refused: not everything is right.',
} as const;

/** The sentence of the outcome. */
export function outcomeText({ outcome }: Pick<Proof, 'outcome'>): string {
  return OUTCOMES[outcome];
}

/** The report. `checked_at` is the moment by the reader's clock. */
export function reportText(proof: Proof, { checked_at, page }: { checked_at: string; page: string }): string {
  const lines = [
    `Crossfoot: proof of snapshot ${proof.snapshot_id}`,
    `Page: ${page}`,
    `Checked at: ${checked_at} by the clock of this computer`,
    '',
    outcomeText(proof),
    '',
  ];
  for (const { title, outcome, text, findings } of proof.parts) {
    lines.push(`${title}: ${outcome}. ${text}`);
    for (const { where, expected, found } of findings) {
      lines.push(`  ${where}: expected ${expected}, found ${found}`);
    }
  }
  if (proof.totals !== null && proof.totals.more > 0) lines.push(`  and ${proof.totals.more} more`);
  lines.push('', 'Windows of the portfolio, as the entries add up (cents):');
  for (const { expected, differs } of proof.totals?.portfolio ?? []) {
    const figures = FIGURES.map((name) => `${name} ${expected[name] ?? 'empty'}`).join(', ');
    const verdict = differs.length === 0 ? 'equal' : `differs in ${differs.join(', ')}`;
    lines.push(`  ${expected.window_label}: ${verdict}; ${figures}`);
  }
  lines.push('', 'Files (SHA-256 as the manifest names them):');
  for (const { name, size_bytes, sha256 } of proof.files)
    lines.push(`  ${sha256}  ${name} (${size_bytes} bytes)`);
  lines.push(
    '',
    'Planned figures, ratios of budgets and all other rules: run audit.sql, which stands beside the files.',
  );
  return `${lines.join('\n')}\n`;
}
