/** What the first `crossfoot start` on an empty folder prints to stdout, line by line. */
import { WRITTEN } from './published.ts';

export const READY = /^ready http:\/\/127\.0\.0\.1:\d+$/;

/** What the company leaves out of its totals, by currency: the figures stand in fixtures/TOTALS.md. */
const LEFT_OUT = [
  /^ {2}3 costs in CHF, EUR and KES .+ have no dollar figure and are in no total\.$/,
  /^ {2}5 approved entries of cash value in BGN, EUR and KES .+ are in no total\.$/,
  /^ {2}2 approved entries of capacity in EUR and KES .+ are in no total\.$/,
  /^ {2}1 provider's bill in KES \(KES 1,000\.00\) has no dollar figure and is in no dollar total of AI spend\.$/,
  /^ {2}1 card charge in EUR \(EUR 30\.00\) is not in dollars and in no dollar total of AI spend\.$/,
  /^ {2}1 cost in CHF: never converted, because the period is before the currency's first rate\.$/,
  /^ {2}1 cost in EUR: never converted, because the month was locked before there was a rate\.$/,
  /^ {2}1 cost in KES: import published rates, because no rate of the currency is stored\.$/,
  /^ {2}1 approved value in EUR: never converted, because the month was locked before there was a rate\.$/,
  /^ {2}1 approved value in EUR: never converted, because the value has no period\.$/,
  /^ {2}2 approved values in KES: import published rates, because no rate of the currency is stored\.$/,
  /^ {2}1 approved value in BGN: never converted, because the published rates of the currency end before the period does\.$/,
  /^ {2}2 approved values in EUR: import published rates, because the stored rates do not cover the whole period\.$/,
  /^ {2}1 provider's bill in KES: import published rates, because no rate of the currency is stored\.$/,
  /^ {2}Import the published rates: npx --no crossfoot rates import https:.+; then run: npx --no crossfoot rates convert$/,
];

/** The shape of each line, in order. */
export function firstStartLines(): readonly RegExp[] {
  const lines: RegExp[] = ['1', '2'].flatMap((account) => [
    new RegExp(`^account ${account}$`),
    ...WRITTEN.map(({ name }) => new RegExp(`^  ${name} +[\\d,]+ rows? +[\\d.]+ MB +[\\d.]+ s$`)),
    /^ {2}audit +\d+ checks passed +[\d.]+ s$/,
    ...(account === '1' ? LEFT_OUT : []),
    /^ {2}published \d{8}T\d{6}Z as number 1 in [\d.]+ s$/,
  ]);
  lines.push(/^$/, /^try {3}\. \/.+\/demo\.env; curl .+\/reporting\/latest$/, READY);
  return lines;
}
