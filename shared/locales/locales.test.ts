import { describe, expect, it } from 'vitest';
import { errors } from '../error-codes.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

type Texts = { readonly [key: string]: string | Texts };

/** Every sentence of a language under its dotted key. */
function sentences(texts: Texts, under = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[under + key, value]] : [...sentences(value, `${under}${key}.`)],
  );
  return new Map(entries);
}
const placeholders = (sentence: string): string[] =>
  [...new Set(sentence.match(/\{\{[^}]*\}\}/g) ?? [])].sort();

const english = sentences(en);
const translations = { es: sentences(es), pt: sentences(pt) };

/** The one failure that no server answers. */
const CLIENT_ONLY = 'network.failed';

describe.each(Object.entries(translations))('the sentences in %s', (_, translated) => {
  it('are as many as the English ones, under the same keys', () => {
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('have the same placeholders, and none is empty', () => {
    for (const [key, sentence] of translated) {
      expect({ key, uses: placeholders(sentence) }).toEqual({
        key,
        uses: placeholders(english.get(key) ?? ''),
      });
      expect({ key, empty: sentence.trim() === '' }).toEqual({ key, empty: false });
    }
  });
});

describe('words of the glossary', () => {
  it.each(Object.entries(translations))(
    'in %s: the waitlist is a fila, and a message to members names spots',
    (_, translated) => {
      expect(
        [...translated.values()].filter((sentence) => /lista de espera/i.test(sentence)),
      ).toEqual([]);
      expect(translated.get('admin.setup.ways.verify.message')).toContain('spots');
    },
  );

  it('a claim moved to another day is described like one that stays on its day', () => {
    for (const [, translated] of Object.entries(translations)) {
      const moved = translated.get('admin.claims.move.moved') ?? '';
      expect(translated.get('admin.claims.move.movedToDay')).toBe(`${moved}, {{day}}`);
    }
  });

  it('the system is a section of the settings, no tab', () => {
    expect(english.get('errors.notifications.paused')).not.toMatch(/tab\b/);
    for (const [, translated] of Object.entries(translations))
      expect(translated.get('errors.notifications.paused')).not.toMatch(/pestaña|aba /);
  });
});

describe('the codes of refusals', () => {
  it('each have a sentence, and no sentence is for a code that is not', () => {
    // A sentence may have plural forms.
    const codes = [...english.keys()]
      .filter((key) => key.startsWith('errors.'))
      .map((key) => key.slice('errors.'.length).replace(/_(one|other)$/, ''));
    expect([...new Set(codes)].sort()).toEqual([...Object.keys(errors), CLIENT_ONLY].sort());
  });
});
