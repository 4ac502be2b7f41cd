/** The form of filters: a wrong filter is named beside it, and it says in which unit amounts are written. */
import { describe, expect, it } from 'vitest';
import { fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';

async function signedIn() {
  const browser = openBrowser(fakeApp().app);
  await browser.signIn(TOKENS.personal);
  return browser;
}

describe('the page of rows', () => {
  it('names a wrong filter beside the form, in its fields, and keeps all other parts of the address', async () => {
    const browser = await signedIn();
    const view = 'cost_category=opex&sort=-usd_amount_cents&columns=cost_entry_id';
    const answer = await browser.send(
      `/snapshots/${LATEST}/tables/costs?cost_category=opex&usd_amount_cents_from=ten&colour=red&sort=-usd_amount_cents&columns=cost_entry_id`,
    );
    expect(answer.status).toBe(400);
    const page = (await answer.text()).replaceAll(/\s+/g, ' ');
    expect(page).toContain('<h1>Costs</h1>');
    const [, form = ''] = /<form class="filters" method="get" action="costs">(.*?)<\/form>/.exec(page) ?? [];
    const [, alert = ''] = /<p id="refused" role="alert">(.*?)<\/p>/.exec(form) ?? [];
    expect(alert).toContain('usd_amount_cents_from must be a whole number of cents');
    expect(alert).toContain('costs has no column &quot;colour&quot;');
    const kept = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    expect(new URLSearchParams(kept).toString()).toBe(view);
    expect(form).toContain('<option value="usd_amount_cents" selected>Dollars</option>');
    expect(form).toContain('<option value="from" selected>from</option>');
    expect(form).toMatch(/name="add_value" value="ten" [^>]*aria-describedby="refused units"/);
    expect(form).toContain('<option value="opex" data-column="cost_category">Cost category</option>');
    // Rows of fewer filters than were wanted would mislead.
    expect(page).toContain('No rows are shown');
    expect(page).not.toContain('class="end downloads"');
    expect(page).toContain(`<a href="costs?${view.replaceAll('&', '&amp;')}">Show the rows without`);
    expect(
      (await browser.send(`/snapshots/${LATEST}/tables/costs.csv?usd_amount_cents_from=ten`)).status,
    ).toBe(400);
  });

  it('names ten wrong parameters at most', async () => {
    const wrong = Array.from({ length: 12 }, (_, index) => `x${index}=1`).join('&');
    const page = await (await signedIn()).page(`/snapshots/${LATEST}/tables/costs?${wrong}`);
    expect([page.includes('&quot;x9&quot;'), page.includes('&quot;x10&quot;')]).toEqual([true, false]);
  });

  it('writes amounts as the table shows them, at the field and at each filter', async () => {
    const browser = await signedIn();
    const read = await browser.page(
      `/snapshots/${LATEST}/tables/costs?usd_amount_cents_from=1000&amount_cents_through=123456`,
    );
    const page = read.replaceAll(/\s+/g, ' ');
    expect(page).toContain('<b title="usd_amount_cents">Dollars</b> from $10.00');
    // The amount of each row is in the currency of the row.
    expect(page).toContain('<b title="amount_cents">Amount</b> through 1,234.56');
    // Paper has no form: a sentence says the same.
    expect(page).toMatch(
      /<p class="on-paper"> Only rows with <b title="usd_amount_cents">Dollars<\/b> from \$10\.00; <b title="amount_cents">Amount<\/b> through 1,234\.56\. <\/p>/,
    );
    expect(await browser.page(`/snapshots/${LATEST}/tables/costs`)).not.toContain('class="on-paper"');
    expect(page).toContain('aria-describedby="units"');
    expect(page).toContain('Write a value as the table shows it, amounts as 1,250.00, months as Apr 2026.');
    expect(await browser.page(`/snapshots/${LATEST}/tables/snapshot`)).toContain(
      'Write a value as the table shows it.',
    );
  });

  it('refuses what was typed in the words of the form, and leads to no address', async () => {
    const browser = await signedIn();
    const answer = await browser.send(
      `/snapshots/${LATEST}/tables/costs?cost_category=opex&add_column=usd_amount_cents&add_how=from&add_value=1.250,00`,
    );
    expect(answer.status).toBe(400);
    const page = (await answer.text()).replaceAll(/\s+/g, ' ');
    expect(page).toContain('Dollars needs an amount with at most two decimals, for example 1,250.00.');
    expect(page).not.toContain('parameter usd_amount_cents');
    expect(page).toMatch(/name="add_value" value="1.250,00"/);
    expect(page).toContain('<b title="cost_category">Cost category</b> is opex');
  });
});
