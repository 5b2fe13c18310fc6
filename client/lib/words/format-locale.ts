/** How dates and times are written for a language: "Sat 21 Nov" and 21:00, not "Sat, Nov 21" and 9:00 PM. */
export function formatLocale(language: string): string {
  return { en: 'en-GB', pt: 'pt-BR' }[language] ?? language;
}
