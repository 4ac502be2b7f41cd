/** The form that adds a filter: only known values of the chosen column are offered, and no value where none is needed. */
import type { Page } from './document.ts';

const WITHOUT_VALUE = ['empty', 'filled'];

/** Narrows the values that the page offers to those of the chosen column. */
export function addFilterValues(document: Page): void {
  const form = document.querySelector('form.filters');
  const column = form?.querySelector('[name=add_column]') ?? null;
  const how = form?.querySelector('[name=add_how]') ?? null;
  const value = form?.querySelector('[name=add_value]') ?? null;
  const list = form?.querySelector('datalist') ?? null;
  if (column === null || how === null || value === null || list === null) return;
  const known = [...list.querySelectorAll('option')];
  const offer = (): void => {
    value.disabled = WITHOUT_VALUE.includes(how.value);
    list.replaceChildren(...known.filter((option) => option.dataset['column'] === column.value));
  };
  column.addEventListener('change', offer);
  how.addEventListener('change', offer);
  offer();
}
