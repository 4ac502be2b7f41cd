/** What the first `crossfoot start` on an empty folder prints to stdout, line by line. */
import { WRITTEN } from './published.ts';

export const READY = /^ready http:\/\/127\.0\.0\.1:\d+$/;

/** How many amounts the company leaves out of its totals: the figures stand in fixtures/TOTALS.md. */
const LEFT_OUT =
  /^ {2}12 amounts in BGN, CHF, EUR and KES are in no total, 6 of them until rates are imported; npx --no crossfoot status --amounts shows why$/;

/** The shape of each line, in order. */
export function firstStartLines(): readonly RegExp[] {
  const lines: RegExp[] = ['1', '2'].flatMap((account) => [
    new RegExp(`^account ${account}$`),
    ...WRITTEN.map(({ name }) => new RegExp(`^  ${name} +[\\d,]+ rows? +[\\d.]+ MB +[\\d.]+ s$`)),
    /^ {2}audit +\d+ checks passed +[\d.]+ s$/,
    ...(account === '1' ? [LEFT_OUT] : []),
    /^ {2}published \d{8}T\d{6}Z as number 1 in [\d.]+ s$/,
  ]);
  lines.push(/^$/, /^try {3}\. \/.+\/demo\.env; curl .+\/reporting\/latest$/, READY);
  return lines;
}
