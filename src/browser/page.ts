/** The script of every page: it only adds. Each page works without it. */
import type { Browser } from './document.ts';
import { addChartHover } from './chart-hover.ts';
import { addCopyButtons } from './copy-buttons.ts';
import { addFilterValues } from './filter-values.ts';

const browser = globalThis as unknown as Browser; // this file runs in a page alone

addCopyButtons(browser);
addChartHover(browser.document);
addFilterValues(browser.document);
