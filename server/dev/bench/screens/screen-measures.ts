import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumFlags } from '../../test/run/chromium/flags.mjs';
import { median } from '../repeat.ts';
import { signIn } from './sign-in.ts';

/** A member's browser's cost of one board, in milliseconds except the last. */
export interface ScreenFigures {
  /** From the data's arrival to the first card, and to the end of the last long task. */
  first_card: number;
  usable: number;
  /** The longest task while the page scrolls from top to bottom. */
  longest_scroll_task: number;
  /** The same for the timeline. */
  longest_timeline_task: number;
  /** Cards whose DOM one live change touched. */
  cards_a_change: number;
}

const REST_MS = 1_500;
const RUNS = 3;

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  return chromium.launch({
    args: [...chromiumFlags],
    ...(executablePath ? { executablePath } : {}),
  });
}

/** @param change submits one claim; resolves when it is stored */
export async function measureScreen(
  browser: Browser,
  url: string,
  key: string,
  change: () => Promise<void>,
): Promise<ScreenFigures> {
  const runs: Omit<ScreenFigures, 'cards_a_change' | 'longest_timeline_task'>[] = [];
  const touched: number[] = [];
  const timeline: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const page = await openBoard(browser, url, key);
    runs.push(await page.evaluate(waitForRest, REST_MS));
    await page.evaluate(waitForStillCards, REST_MS);
    const cards = await page.evaluateHandle(watchCards);
    await change();
    await page.waitForTimeout(REST_MS);
    touched.push(await cards.evaluate((seen) => seen.size));
    await page.goto(`${url}/?view=timeline`);
    await page.getByRole('row').nth(3).waitFor();
    timeline.push(await page.evaluate(scrollTimeline, REST_MS));
    await page.context().close();
  }
  const of = (name: 'first_card' | 'usable' | 'longest_scroll_task'): number =>
    median(runs.map((run) => run[name]));
  return {
    first_card: of('first_card'),
    usable: of('usable'),
    longest_scroll_task: of('longest_scroll_task'),
    longest_timeline_task: median(timeline),
    cards_a_change: median(touched),
  };
}

async function openBoard(browser: Browser, url: string, key: string): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
  });
  await signIn(page, url, key);
  await page.addInitScript(watchFirstCard);
  await page.goto(url);
  await page.getByRole('article').first().waitFor();
  return page;
}

/** Runs in the page before its scripts: records the first card and long tasks. */
function watchFirstCard(): void {
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      performance.measure('long', { start: startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  const cards = new MutationObserver(() => {
    if (!document.querySelector('article')) return;
    performance.mark('first card');
    cards.disconnect();
  });
  document.addEventListener('DOMContentLoaded', () =>
    cards.observe(document.body, { childList: true, subtree: true }),
  );
}

/** Runs in the page. */
async function waitForRest(
  restMs: number,
): Promise<{ first_card: number; usable: number; longest_scroll_task: number }> {
  const rest = (): Promise<void> => new Promise((done) => setTimeout(done, restMs));
  await rest();
  const data = performance
    .getEntriesByType('resource')
    .find(({ name }) => name.endsWith('/api/snapshot'));
  if (!data) throw new Error('the board came another way than it did');
  const arrived = data.startTime + data.duration;
  const card = performance.getEntriesByName('first card')[0]?.startTime ?? Number.NaN;
  const ends = performance
    .getEntriesByName('long')
    .map(({ startTime, duration }) => startTime + duration)
    .filter((end) => end > arrived);
  const scrolledFrom = performance.now();
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
    scrollTo(0, top);
    await new Promise(requestAnimationFrame);
  }
  await rest();
  const during = performance
    .getEntriesByName('long')
    .filter(({ startTime }) => startTime >= scrolledFrom);
  scrollTo(0, 0);
  return {
    first_card: card - arrived,
    usable: Math.max(card, ...ends) - arrived,
    longest_scroll_task: Math.max(0, ...during.map(({ duration }) => duration)),
  };
}

/** Runs in the page. */
async function scrollTimeline(restMs: number): Promise<number> {
  const rest = (): Promise<void> => new Promise((done) => setTimeout(done, restMs));
  await rest();
  const { scrollHeight } = document.documentElement;
  if (scrollHeight < innerHeight + 1_000) throw new Error('the timeline does not scroll');
  const from = performance.now();
  for (let top = 0; top < scrollHeight; top += innerHeight / 2) {
    scrollTo(0, top);
    await new Promise(requestAnimationFrame);
  }
  await rest();
  const during = performance.getEntriesByName('long').filter(({ startTime }) => startTime >= from);
  return Math.max(0, ...during.map(({ duration }) => duration));
}

/** Runs in the page: resolves when no card has changed for `restMs`. A large board renders its far cards in idle time. */
function waitForStillCards(restMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(finish, restMs);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(finish, restMs);
    });
    observer.observe(document.querySelector('main') ?? document.body, {
      subtree: true,
      childList: true,
      attributes: true,
    });
  });
}

/** Runs in the page: collects the cards that change. */
function watchCards(): Set<Element> {
  const seen = new Set<Element>();
  new MutationObserver((records) => {
    for (const { target } of records) {
      const card = (target instanceof Element ? target : target.parentElement)?.closest('article');
      if (card) seen.add(card);
    }
  }).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
  return seen;
}
