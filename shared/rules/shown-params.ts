import type { FindingParams } from '../schemas/system.ts';

/** Which of a finding's facts are bytes, and which are moments. */
const BYTES: ReadonlySet<string> = new Set(['free', 'total', 'size']);
const MOMENTS: ReadonlySet<string> = new Set(['at']);
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes as people read them, such as 1.2 GB. */
export function bytesInWords(bytes: number, locale: string): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1_000 ** power;
  return `${value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${UNITS[power]}`;
}

/** A finding's facts as its sentences show them. */
export function shownParams(
  params: FindingParams,
  locale: string,
  moment: (at: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      // A program's own words, of one line or more, end without a full stop: the sentence around them has one.
      if (typeof value === 'string')
        return [name, MOMENTS.has(name) ? moment(value) : value.trim().replace(/\.$/, '')];
      return [
        name,
        BYTES.has(name)
          ? bytesInWords(value, locale)
          : name === 'port'
            ? String(value)
            : value.toLocaleString(locale),
      ];
    }),
  );
}
