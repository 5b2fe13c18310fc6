/** The colours of section 9 of the specification; admins may set others. */
export const MEMBER_TYPE_COLORS: Readonly<Record<string, string>> = {
  member: '#3182ce',
  elite: '#805ad5',
  vice: '#e53e3e',
};
export const DEFAULT_MEMBER_TYPE_COLOR = '#3182ce';
/** For a member type that no longer exists. */
export const FALLBACK_COLOR = '#718096';

/** The colour of a type that has no record. Admins name types: "constructor" is no property to look up. */
export function usualColorOf(memberType: string): string {
  return (
    (Object.hasOwn(MEMBER_TYPE_COLORS, memberType) ? MEMBER_TYPE_COLORS[memberType] : undefined) ??
    FALLBACK_COLOR
  );
}

/** R6.2: perceived brightness of a #rgb or #rrggbb colour, 0 to 255 (ITU-R BT.601 luma). */
export function brightness(color: string): number {
  const digits = color.slice(1);
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16));
  return ((red ?? 0) * 299 + (green ?? 0) * 587 + (blue ?? 0) * 114) / 1000;
}

/** R6.2: white text when the colour's brightness is under 128, otherwise black. */
export function badgeTextColor(color: string): '#ffffff' | '#000000' {
  return brightness(color) < 128 ? '#ffffff' : '#000000';
}
