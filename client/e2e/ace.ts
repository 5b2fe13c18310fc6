import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { z } from 'zod';

const PROGRAM = readFileSync(
  fileURLToPath(import.meta.resolve('accessibility-checker-engine/ace-window.js')),
  'utf8',
);
/** It takes labels and headers that are visually hidden for missing. Axe, which looks beside it, judges both rightly. */
const BLIND = ['input_label_exists', 'label_content_exists', 'table_headers_exists'];
/** The outcomes of a rule that never fails a page. Such rules are a third of all, and some read every style sheet for every element. */
const HARMLESS = '^(0$|group$|pass|potential|manual)';
const report = z.object({
  results: z.array(
    z.object({
      ruleId: z.string(),
      value: z.tuple([z.string(), z.string()]),
      message: z.string(),
      snippet: z.string(),
    }),
  ),
});

/** What IBM's checker, the second engine beside axe, counts as a failure of WCAG 2.2 A and AA on the page: one line each. `rules`: these alone. */
export async function failuresByAce(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'ace' in window))) await page.evaluate(PROGRAM);
  const { results } = report.parse(
    await page.evaluate(
      async ([harmless, only]) => {
        const { ace } = Object(window);
        const checker = new ace.Checker();
        const mayFail = (id: string): boolean => {
          if (only && !only.includes(id)) return false;
          // It judges `!important` in style attributes, nothing else.
          if (id === 'text_spacing_valid')
            return document.querySelector('[style*="important"]') !== null;
          return Object.keys(checker.engine.ruleMap[id].messages['en-US']).some(
            (outcome) => !new RegExp(harmless, 'i').test(outcome),
          );
        };
        checker.rulesetRules.WCAG_2_2 = checker.rulesetRules.WCAG_2_2.filter(mayFail);
        // It remembers the labels of its last look, which the page has changed since.
        for (const node of [document, ...document.querySelectorAll('*')])
          Reflect.deleteProperty(node, 'aceCache');
        // What a modal dialog covers is hidden and cannot be reached, which the checker does not see.
        const covered = [...document.querySelectorAll<HTMLElement>('[data-aria-hidden]')];
        for (const { style } of covered) style.visibility = 'hidden';
        const { results } = await checker.check(document, ['WCAG_2_2']);
        for (const { style } of covered) style.visibility = '';
        const reachable = Array.from(results).filter(
          (result) =>
            !Object(result).node?.closest?.('[data-aria-hidden]') &&
            // The main landmark is covered, too.
            !(covered.length > 0 && Object(result).ruleId === 'skip_main_exists'),
        );
        // Without the elements themselves, which lead back to React.
        return { results: reachable.map((result) => ({ ...Object(result), node: undefined })) };
      },
      [HARMLESS, rules] as const,
    ),
  );
  return results
    .filter(
      ({ ruleId, value: [level, outcome] }) =>
        level === 'VIOLATION' && outcome === 'FAIL' && !BLIND.includes(ruleId),
    )
    .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`);
}
