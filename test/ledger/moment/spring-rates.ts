import type { Client } from 'pg';

/** Adds rates: one euro is 1.2 dollars and 0.8 pounds throughout March 2026, and 1.1 dollars on the one day of April. */
export async function addSpringRates(owner: Client): Promise<void> {
  await owner.query(`
    insert into ledger.euro_reference_rates (day, currency, units_per_euro) values
      ('2026-03-02', 'USD', 1.2), ('2026-03-02', 'GBP', 0.8), ('2026-03-31', 'USD', 1.2), ('2026-03-31', 'GBP', 0.8),
      ('2026-04-10', 'USD', 1.1)`);
}
