/** A page of Chromium that tells on itself: errors, requests to elsewhere, and what a checker of accessibility finds. */
import { AxeBuilder } from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  errors,
  type Page,
  type PageScreenshotOptions,
} from 'playwright-core';
import { crowdedText } from './placed-text.ts';

export type Look = 'light' | 'dark';
export type Screen = keyof typeof SCREENS;

const SCREENS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  /** What a desktop shows at four times its size: nothing may need scrolling both ways. */
  narrowest: { width: 320, height: 700 },
} as const;
/** Levels A and AA of WCAG 2.2 and all before it. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Those that depend on colours and places. */
const RULES_OF_LOOKS = ['color-contrast', 'scrollable-region-focusable', 'target-size'];

export interface WatchedPage {
  readonly page: Page;
  /** What no page may do, told once: errors, and requests to any host but our own. */
  faults(): readonly string[];
  show(look: Look, screen: Screen): Promise<void>;
  /** Opens the overview with the token. */
  signIn(token: string): Promise<void>;
  /** Gives what is wrong with the page as it stands, in light and dark, and on screens of every width. */
  examine(): Promise<readonly string[]>;
  /** The same of a page whose colours and places are those of another that is examined: in light, and narrow. */
  skim(): Promise<readonly string[]>;
}

/** The browser that `run.ts` found; `args` are switches of Chromium. */
export function openBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? 'chromium';
  // As root Chromium has no sandbox; the pages are ours.
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}

/** Keeps a picture of the whole page, or of a part; a browser that draws nothing for a while is asked again, twice. */
export async function takePicture(page: Page, path: string, part: PageScreenshotOptions = {}): Promise<void> {
  for (let left = 2; ; left -= 1) {
    try {
      await page.screenshot({ path, fullPage: true, ...part });
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof errors.TimeoutError)) throw error;
    }
  }
}

/** A page in a context of its own: no cookie of another. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const isSecure = new URL(origin).hostname === '127.0.0.1';
  if (isSecure) await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const faults: string[] = [];
  await refuseElsewhere(context, origin, faults);
  const page = await context.newPage();
  page.on('console', (message) => {
    // The browser says of an answer that it is no success: what is refused is looked at for what it says.
    const isRefusal = /^Failed to load resource: .* status of 40[14] /.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  const show = async (look: Look, screen: Screen): Promise<void> => {
    await page.emulateMedia({ colorScheme: look });
    await page.setViewportSize(SCREENS[screen]);
  };
  const skim = async (): Promise<readonly string[]> => [
    ...(await violationsInLight(page, show)),
    ...(await crowded(page, show)),
    ...(await tooWide(page, show)),
  ];
  const examine = async (): Promise<readonly string[]> => {
    const light = await violationsInLight(page, show);
    await show('dark', 'phone');
    const dark = await violations(new AxeBuilder({ page }).withRules(RULES_OF_LOOKS));
    return [...light, ...dark, ...(await crowded(page, show)), ...(await tooWide(page, show))];
  };
  const signIn = async (token: string): Promise<void> => {
    await page.goto(`${origin}/`);
    await page.getByLabel('Access token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  };
  return { page, show, signIn, faults: () => faults.splice(0), examine, skim };
}

async function refuseElsewhere(context: BrowserContext, origin: string, faults: string[]): Promise<void> {
  await context.route(
    (url) => url.origin !== origin && url.protocol !== 'data:',
    async (route) => {
      faults.push(`elsewhere: ${route.request().url()}`);
      await route.abort();
    },
  );
}

async function violationsInLight(page: Page, show: WatchedPage['show']): Promise<readonly string[]> {
  await show('light', 'desktop');
  return await violations(new AxeBuilder({ page }).withTags(RULES));
}

async function crowded(page: Page, show: WatchedPage['show']): Promise<readonly string[]> {
  const found: string[] = [];
  for (const screen of ['desktop', 'phone'] as const) {
    await show('light', screen);
    found.push(...(await crowdedText(page)).map((words) => `${screen}: ${words}`));
  }
  return found;
}

async function tooWide(page: Page, show: WatchedPage['show']): Promise<readonly string[]> {
  await show('light', 'narrowest');
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const wide = await page.evaluate(
    `[...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth).slice(-2).map((each) => each.outerHTML.slice(0, 160)).join(' and ')`,
  );
  return width > SCREENS.narrowest.width
    ? [`scrolls sideways: it is ${width} pixels wide, by ${String(wide)}`]
    : [];
}

async function violations(checker: AxeBuilder): Promise<readonly string[]> {
  const found = (await checker.analyze()).violations;
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
