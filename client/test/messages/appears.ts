import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import en from '../../../shared/locales/en.json' with { type: 'json' };
import { type Chapter, SECTION_8 } from './section-8.ts';

type Texts = { readonly [key: string]: string | Texts };

/** For each locale key, the user's steps and server's answers that make its sentence appear. */
export type Scenarios<C extends Chapter> = {
  readonly [key in keyof (typeof SECTION_8)[C]]: () => void | Promise<void>;
};

/** Makes a test of each sentence of a chapter. A sentence without a scenario is a test that fails. */
export function appears<C extends Chapter>(chapter: C, scenarios: Scenarios<C>): void {
  const known = new Map<string, () => void | Promise<void>>(Object.entries(scenarios));
  test.each(Object.entries(SECTION_8[chapter]))(
    '%s',
    { timeout: 60_000 },
    async (key, [sentence]) => {
      const english = englishOf(key);
      expect(shapeOf(english.replaceAll('{{', '{').replaceAll('}}', '}'))).toBe(shapeOf(sentence));
      const scenario = known.get(key);
      if (!scenario) throw new Error(`nothing makes "${sentence}" appear`);
      await scenario();
      expect(
        await screen.findAllByText(onScreen(key, english), {}, { timeout: 20_000 }),
      ).not.toEqual([]);
    },
  );
}

function englishOf(key: string): string {
  const found = key
    .split('.')
    .reduce<string | Texts | undefined>(
      (texts, part) => (typeof texts === 'object' ? texts[part] : undefined),
      en,
    );
  if (typeof found !== 'string') throw new Error(`there is no sentence ${key}`);
  return found;
}

/** Placeholders may have other names, and several may be one. */
const shapeOf = (sentence: string): string => sentence.replace(/\{\w+\}( \{\w+\})*/g, '{}');

/** The whole text of an element; a refusal's sentence may also be the reason in another one. */
function onScreen(key: string, english: string): RegExp {
  const words = english
    .split(/\{\{\w+\}\}/)
    .map(RegExp.escape)
    .join('.+');
  return new RegExp(key.startsWith('errors.') ? `^(.+: )?${words}$` : `^${words}$`);
}
