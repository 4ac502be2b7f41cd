/** Amounts as people read them, for the text beside the structured answer. */

/** Cents as `12,345.67 USD`; `(no currency)` in place of a missing currency. */
export function money(amount_cents: number, currency: string | null): string {
  const digits = String(Math.abs(amount_cents)).padStart(3, '0');
  const units = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${amount_cents < 0 ? '-' : ''}${units}.${digits.slice(-2)} ${currency ?? '(no currency)'}`;
}

/** Cents as `12,345.67 USD`; the text of `none` for a missing amount. */
export function moneyOr(amount_cents: number | null, currency: string | null, none: string): string {
  return amount_cents === null ? none : money(amount_cents, currency);
}
