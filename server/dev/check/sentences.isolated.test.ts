import { describe, expect, it } from 'vitest';
import { faults, sentenceFaults, usesIn } from './sentences.mjs';

const languages = {
  en: {
    board: { title: 'Board', claims_one: '{{count}} claim', claims_other: '{{count}} claims' },
    tabs: { events: 'Events', keys: 'Keys' },
  },
  es: {
    board: {
      title: 'Tablero',
      claims_one: '{{count}} reserva',
      claims_other: '{{count}} reservas',
    },
    tabs: { events: 'Eventos', keys: 'Claves' },
  },
};
const ALL_USED = `const all = () => [t('board.title'), t('board.claims', { count: 2 }), t(\`tabs.\${tab}\`)];`;
const faultsOf = (code: string, texts: Parameters<typeof faults>[0] = languages): string[] =>
  faults(texts, usesIn([{ file: 'client/board.tsx', code: `${ALL_USED}\n${code}` }]));

describe('the check of the sentences', () => {
  it('finds nothing where every sentence is in its place', () => {
    expect(
      faultsOf(
        "const ok = <p title={t('board.title')} className=\"wide\">{t('board.title')} · 7</p>;",
      ),
    ).toEqual([]);
  });

  it('names a key that a language lacks, and one that only it has', () => {
    const es = {
      board: { title: 'Tablero', claims_one: '{{count}} reserva', claims_other: '…' },
      tabs: { events: 'Eventos', old: 'Viejo' },
    };
    expect(faultsOf('', { en: languages.en, es })).toEqual([
      'missing in es: tabs.keys',
      'missing in en: tabs.old (es has it)',
    ]);
  });

  it('names a key that code uses and no locale has', () => {
    expect(faultsOf("t('board.titel');")).toEqual([
      'missing in en: board.titel (client/board.tsx)',
    ]);
  });

  it('names quotation marks that are not those of the language', () => {
    const en = { board: { title: 'The “board”', claims: 'The "claims"' } };
    const es = { board: { title: 'El «tablero»', claims: 'Las “reservas”' } };
    expect(
      faultsOf('', { en: { ...languages.en, ...en }, es: { ...languages.es, ...es } }),
    ).toEqual([
      'other quotation marks than en uses: board.claims',
      'other quotation marks than es uses: board.claims',
    ]);
  });

  it('names a sentence that no code uses, plural forms as one', () => {
    const texts = {
      en: {
        ...languages.en,
        shell: { hours_one: '{{count}} hour', hours_other: '{{count}} hours' },
      },
    };
    expect(faultsOf('', texts)).toEqual(['unused: shell.hours']);
  });

  it.each([
    ['text between tags', '<p>Choose a spot</p>', '"Choose a spot"'],
    ['one word, too', '<b>Taken</b>', '"Taken"'],
    ['what a screen reader says', '<button aria-label="Close it" />', '"Close it"'],
    [
      'a message that is passed on',
      "showToast({ tone: 'good', text: 'Claim saved' })",
      '"Claim saved"',
    ],
  ])('names %s that is hard-coded', (_, code, text) => {
    expect(faultsOf(`const x = ${code};`)).toContain(`hard-coded: client/board.tsx:2: ${text}`);
  });

  it('ignores texts for developers', () => {
    expect(faultsOf("throw new TypeError('Nobody reads this');")).toEqual([]);
  });

  it('finds no fault in this repository', () => {
    expect(sentenceFaults()).toEqual([]);
  });
});
