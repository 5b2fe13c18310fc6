/** Finds sentences that are missing in a language, used by no code, or written into the code instead of a locale file. */

import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { at } from '../setup/command.mjs';

/**
 * @typedef {{ [key: string]: string | Texts }} Texts
 * @typedef {object} Source
 * @property {string} file
 * @property {string} code
 *
 * @typedef {object} Uses what the code says about sentences
 * @property {{ key: string, file: string }[]} requested keys that are given to `t` as they are
 * @property {Set<string>} literals every text in the code: a key may be passed on before it is used
 * @property {RegExp[]} patterns keys that are put together
 * @property {string[]} hardCoded
 */

/** Plural forms share the key that the code asks for. */
const PLURAL = /_(zero|one|two|few|many|other)$/;
/** Attributes that a person reads or hears. */
const READ_ATTRIBUTES = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'alt',
  'caption',
  'heading',
  'label',
  'placeholder',
  'text',
  'title',
]);
const WORDS = /\p{L}{2,}/u;
/** Two words or more, the first with a capital: nothing that a program says to itself. */
const SENTENCE = /^\p{Lu}\p{Ll}+ \p{L}/u;

/** @param {Texts} texts @returns {string[]} every key, dotted */
export const keysOf = (texts) => entriesOf(texts).map(([key]) => key);

/** @param {Texts} texts @param {string} [under] @returns {[string, string][]} every text by its dotted key */
function entriesOf(texts, under = '') {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[under + key, value]] : entriesOf(value, `${under}${key}.`),
  );
}

/** @param {Source[]} sources @returns {Uses} */
export function usesIn(sources) {
  /** @type {Uses} */
  const uses = { requested: [], literals: new Set(), patterns: [], hardCoded: [] };
  for (const source of sources) readSource(source, uses);
  return uses;
}

/** @param {Source} source @param {Uses} uses */
function readSource({ file, code }, uses) {
  /** Texts of errors that only a developer's console shows. @type {Set<number>} */
  const forDevelopers = new Set();
  /** @param {number} start @param {string} text */
  const hardCoded = (start, text) => {
    const line = code.slice(0, start).split('\n').length;
    uses.hardCoded.push(`${file}:${line}: ${JSON.stringify(text.trim())}`);
  };
  const { program } = parseSync(file, code);
  new Visitor({
    NewExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier' && callee.name.endsWith('Error'))
        for (const { start } of given) forDevelopers.add(start);
    },
    CallExpression({ callee, arguments: [first] }) {
      const name = callee.type === 'MemberExpression' ? callee.property : callee;
      if (
        name.type !== 'Identifier' ||
        name.name !== 't' ||
        first?.type !== 'Literal' ||
        typeof first.value !== 'string'
      )
        return;
      uses.requested.push({ key: first.value, file });
    },
    Literal({ value, start }) {
      if (typeof value !== 'string') return;
      uses.literals.add(value);
      if (SENTENCE.test(value) && !forDevelopers.has(start)) hardCoded(start, value);
    },
    TemplateLiteral({ quasis }) {
      const [head = '', ...rest] = quasis.map(({ value }) => value.cooked ?? '');
      if (!head.includes('.') || head.includes(' ')) return;
      uses.patterns.push(new RegExp(`^${[head, ...rest].map(RegExp.escape).join('.+')}$`));
    },
    JSXText({ value, start }) {
      if (WORDS.test(value)) hardCoded(start, value);
    },
    JSXAttribute({ name, value, start }) {
      const written =
        value?.type === 'Literal' && typeof value.value === 'string' ? value.value : '';
      if (name.type === 'JSXIdentifier' && READ_ATTRIBUTES.has(name.name) && WORDS.test(written))
        hardCoded(start, written);
    },
  }).visit(program);
}

/**
 * @param {{ [language: string]: Texts }} languages English among them, as `en`
 * @param {Uses} uses
 * @returns {string[]} one line a fault; none when all is well
 */
export function faults(languages, uses) {
  const { en = {}, ...others } = languages;
  const english = new Set(keysOf(en));
  const singular = new Set([...english].map((key) => key.replace(PLURAL, '')));
  const missing = Object.entries(others).flatMap(([language, texts]) => {
    const there = new Set(keysOf(texts));
    return [...english]
      .filter((key) => !there.has(key))
      .map((key) => `missing in ${language}: ${key}`);
  });
  const extra = Object.entries(others).flatMap(([language, texts]) =>
    keysOf(texts)
      .filter((key) => !english.has(key))
      .map((key) => `missing in en: ${key} (${language} has it)`),
  );
  const unknown = uses.requested
    .filter(({ key }) => !singular.has(key))
    .map(({ key, file }) => `missing in en: ${key} (${file})`);
  const unused = [...singular]
    .filter((key) => !uses.literals.has(key) && !uses.patterns.some((pattern) => pattern.test(key)))
    .map((key) => `unused: ${key}`);
  const quoted = Object.entries(languages).flatMap(([language, texts]) =>
    entriesOf(texts)
      .filter(([, text]) => (language === 'es' ? /["“”]/ : /["«»]/).test(text))
      .map(([key]) => `other quotation marks than ${language} uses: ${key}`),
  );
  return [
    ...missing,
    ...extra,
    ...unknown,
    ...unused,
    ...quoted,
    ...uses.hardCoded.map((where) => `hard-coded: ${where}`),
  ];
}

/** @param {string[]} patterns @returns {Source[]} */
function sourcesIn(patterns) {
  const files = globSync(patterns, {
    cwd: at('.'),
    exclude: ['**/*.test.*', '**/test/**', '**/test-*', 'client/e2e/**', 'client/dist/**'],
  });
  return files.sort().map((file) => ({ file, code: readFileSync(at(file), 'utf8') }));
}

/** The faults of this repository's sentences. @returns {string[]} */
export function sentenceFaults() {
  /** @param {string} code @returns {Texts} */
  const language = (code) => JSON.parse(readFileSync(at(`shared/locales/${code}.json`), 'utf8'));
  const client = usesIn(sourcesIn(['client/**/*.{ts,tsx}']));
  // The server and the rules write codes and logs for people; of the sentences they only use the keys.
  const behind = usesIn(sourcesIn(['server/**/*.ts', 'shared/**/*.ts']));
  const uses = {
    ...client,
    literals: client.literals.union(behind.literals),
    patterns: [...client.patterns, ...behind.patterns],
  };
  return faults({ en: language('en'), es: language('es'), pt: language('pt') }, uses);
}

if (import.meta.main) {
  const found = sentenceFaults();
  for (const fault of found) console.log(fault);
  process.exitCode = found.length > 0 ? 1 : 0;
}
