import { vi } from 'vitest';

const WEEK_MS = 7 * 86_400_000;

/** Simulates Safari's limit for script-written cookies: seven days, despite their expiry date. Undone by `vi.restoreAllMocks`. */
export const keepForAWeek = (): void =>
  changeExpiry((until) => Math.min(until, Date.now() + WEEK_MS));

/** Happy DOM removes cookies by the real clock, even under fake timers. Undone by `vi.restoreAllMocks`. */
export const expireByFakeClock = (): void =>
  changeExpiry((until) => until - Date.now() + vi.getRealSystemTime());

/** @param change both in milliseconds */
function changeExpiry(change: (until: number) => number): void {
  const write = setterOf(document);
  vi.spyOn(document, 'cookie', 'set').mockImplementation((text) =>
    write?.call(
      document,
      text.replace(/(?<=expires=)[^;]+/i, (until) =>
        new Date(change(Date.parse(until))).toUTCString(),
      ),
    ),
  );
}

function setterOf(object: object | null): ((text: string) => void) | undefined {
  return object
    ? (Object.getOwnPropertyDescriptor(object, 'cookie')?.set ??
        setterOf(Object.getPrototypeOf(object)))
    : undefined;
}
