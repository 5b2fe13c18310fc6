import { vi } from 'vitest';

const WEEK_MS = 7 * 86_400_000;

/** Simulates Safari's limit for script-written cookies: seven days, despite their expiry date. Undone by `vi.restoreAllMocks`. */
export function keepForAWeek(): void {
  const write = setterOf(document);
  vi.spyOn(document, 'cookie', 'set').mockImplementation((text) => {
    const capped = text.replace(/expires=([^;]+)/i, (whole: string, until: string) =>
      Date.parse(until) > Date.now() + WEEK_MS
        ? `expires=${new Date(Date.now() + WEEK_MS).toUTCString()}`
        : whole,
    );
    write?.call(document, capped);
  });
}

function setterOf(object: object | null): ((text: string) => void) | undefined {
  return object
    ? (Object.getOwnPropertyDescriptor(object, 'cookie')?.set ??
        setterOf(Object.getPrototypeOf(object)))
    : undefined;
}
