import i18next from 'i18next';

/** Depends on this year. */
const A_DATE = /\d{4}-\d{2}-\d{2}/;

/** The values of a sentence as text, if it depends on nothing else. */
function keyOf(key: unknown, values: unknown): string | undefined {
  if (typeof key !== 'string') return undefined;
  if (values === undefined) return key;
  if (typeof values !== 'object' || values === null) return undefined;
  if (Object.values(values).some((value) => typeof value !== 'string' && typeof value !== 'number'))
    return undefined;
  const text = JSON.stringify(values);
  return A_DATE.test(text) ? undefined : `${key} ${text}`;
}

/** Keeps the sentences that i18next made: a page shows the same ones over and over, and making them takes a tenth of its rendering. */
export function speedUpSentences(): void {
  const made = new Map<string, string>();
  const forget = (): void => made.clear();
  i18next.on('initialized', forget);
  i18next.store.on('added', forget);
  i18next.store.on('removed', forget);
  const { getFixedT } = i18next;
  Reflect.set(i18next, 'getFixedT', (language: unknown, ...scope: unknown[]) => {
    const t = Reflect.apply(getFixedT, i18next, [language, ...scope]);
    if (typeof language !== 'string' || scope[1] !== undefined) return t;
    const quick = (key: unknown, values?: unknown, ...rest: unknown[]): unknown => {
      const cacheKey = rest.length > 0 ? undefined : keyOf(key, values);
      if (cacheKey === undefined) return t(key, values, ...rest);
      const known = made.get(`${language} ${cacheKey}`);
      if (known !== undefined) return known;
      const sentence = t(key, values);
      if (typeof sentence === 'string') made.set(`${language} ${cacheKey}`, sentence);
      return sentence;
    };
    return Object.assign(quick, { lng: t.lng, ns: t.ns, keyPrefix: t.keyPrefix });
  });
}
