/** The form that adds a filter: known values of the chosen column are offered, and none where none is needed. */
import type { Element, Page } from './document.ts';

/** Offers the values that the links of the page filter by. */
export function addFilterValues(document: Page): void {
  const form = document.querySelector('form.filters');
  const column = form?.querySelector('[name=add_column]') ?? null;
  const how = form?.querySelector('[name=add_how]') ?? null;
  const value = form?.querySelector('[name=add_value]') ?? null;
  if (form === null || column === null || how === null || value === null) return;
  const known = knownValues(document);
  const list = document.createElement('datalist');
  list.setAttribute('id', 'known-values');
  value.setAttribute('list', 'known-values');
  form.append(list);
  const offer = (): void => {
    value.disabled = how.value === 'empty';
    const options = [...(known.get(column.value) ?? [])].map(([text, label]) => {
      const option = document.createElement('option');
      option.setAttribute('value', text);
      option.textContent = label;
      return option;
    });
    list.replaceChildren(...options);
  };
  column.addEventListener('change', offer);
  how.addEventListener('change', offer);
  offer();
}

/** The values in the links that filter by a value, with their texts, by column. */
function knownValues(document: Page): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const known = new Map<string, Map<string, string>>();
  for (const link of document.querySelectorAll('.facets a[data-filter]')) {
    const name = link.dataset['filter'] ?? '';
    const value = valueOf(link, name);
    const values = known.get(name) ?? new Map<string, string>();
    if (value !== '') values.set(value, link.textContent);
    known.set(name, values);
  }
  return known;
}

/** The last value of the column in the link's address: those before it are filters of the view. */
function valueOf(link: Element, name: string): string {
  return new URL(link.href).searchParams.getAll(name).at(-1) ?? '';
}
