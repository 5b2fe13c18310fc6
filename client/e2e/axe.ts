import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { isAll } from '../../server/dev/test/scope.ts';
import { failuresByAce } from './ace.ts';

/** The axe that `AxeBuilder` brings. */
const axeCore = createRequire(fileURLToPath(import.meta.resolve('@axe-core/playwright')));
const rule = z.object({
  id: z.string(),
  impact: z.enum(['minor', 'moderate', 'serious', 'critical']),
});
const { _audit: audit } = z
  .object({ _audit: z.object({ rules: z.array(rule).min(1) }) })
  .parse(axeCore('axe-core'));

/** Rules whose impact axe never calls serious: a violation of one of them has the rule's own impact. */
const NEVER_SERIOUS = audit.rules
  .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
  .map(({ id }) => id);
/** The only enabled rules that read colours. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];
const PROGRAM = readFileSync(axeCore.resolve('axe-core/axe.min.js'), 'utf8');
/** Replaces the program where it is loaded already: does nothing. */
const NOTHING = '0';

interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString: (this: Colour, written: string) => Colour;
}
declare global {
  interface Window {
    axe: { commons: { color: { Color: { prototype: Colour } } } };
  }
}

/** Runs in the page. Axe works out the same few colours for every element and all that is behind it: a third of what it costs. */
function rememberColours(): void {
  const { prototype } = window.axe.commons.color.Color;
  const workOut = prototype.parseString;
  const known = new Map<string, Pick<Colour, 'r' | 'g' | 'b' | 'alpha'>>();
  prototype.parseString = function (written) {
    const colour = known.get(written);
    if (colour) return Object.assign(this, colour);
    const { r, g, b, alpha } = workOut.call(this, written);
    known.set(written, { r, g, b, alpha });
    return this;
  };
}

/**
 * Axe for a page alone: what it finds is not gathered in one more that is opened for it. By itself it hands over its program, which has more
 * than a megabyte before it is minified, twice before every look; the browser reads all of it each time.
 */
async function axeIn(page: Page): Promise<AxeBuilder> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(PROGRAM);
    await page.evaluate(rememberColours);
  }
  return new AxeBuilder({ page, axeSource: NOTHING }).setLegacyMode();
}

/** Axe, and IBM's checker with `npm run test:all`, find nothing serious on the page after animations; `where` names it in failures. */
export async function expectNothingSerious(
  page: Page,
  where = page.url(),
  besides: readonly string[] = [],
): Promise<void> {
  await untilStill(page);
  // Axe finds the same in each engine, and its large program does not survive in a page that is driven by BiDi.
  if (browserOf(page) === 'firefox') return;
  const everything = (axe: AxeBuilder): AxeBuilder =>
    axe.disableRules([...NEVER_SERIOUS, ...besides]);
  expect(await seriousByAxe(page, everything), where).toEqual([]);
  if (isAll) expect(await failuresByAce(page), where).toEqual([]);
}

/**
 * The same, and nothing serious about the colours in the other theme, in which the page stays. Themes differ in nothing else: all colours
 * come from `light-dark()`.
 */
export async function expectNothingSeriousInBothThemes(
  page: Page,
  where = page.url(),
): Promise<void> {
  await expectNothingSerious(page, where);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const theme = isDark ? 'light' : 'dark';
  await page.emulateMedia({ colorScheme: theme });
  await untilStill(page);
  if (browserOf(page) === 'firefox') return;
  const colours = (axe: AxeBuilder): AxeBuilder => axe.withRules(ABOUT_COLOURS);
  expect(await seriousByAxe(page, colours), `${where}, ${theme}`).toEqual([]);
  if (!isAll) return;
  expect(await failuresByAce(page, ['text_contrast_sufficient']), `${where}, ${theme}`).toEqual([]);
}

async function seriousByAxe(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<string[]> {
  const axe = await axeIn(page);
  // Told only of what is wrong.
  const { violations } = await choose(axe.options({ reporter: 'no-passes' })).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

const browserOf = (page: Page): string | undefined =>
  page.context().browser()?.browserType().name();

/** Controls whose accessible name lacks their visible text. Experimental in axe, so it must be enabled by name. */
export async function namesWithoutWhatIsWritten(page: Page): Promise<string[]> {
  const axe = await axeIn(page);
  const { violations } = await axe
    .options({ runOnly: ['label-content-name-mismatch'], reporter: 'no-passes' })
    .analyze();
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
}

/** Elements that fade in are paler meanwhile: contrast is checked after animations. Skeletons and busy marks never end. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const arriving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(arriving.map(({ finished }) => finished));
  });
}
