/** WCAG AA for small text. */
const WANTED_CONTRAST = 4.5;
const STEP = 0.02;

type Rgb = readonly [number, number, number];

function channels(color: string): Rgb {
  const digits = color.slice(1);
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const at = (from: number): number => Number.parseInt(full.slice(from, from + 2), 16) || 0;
  return [at(0), at(2), at(4)];
}

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(channels(a)), luminance(channels(b))].sort(
    (one, other) => one - other,
  );
  return (light + 0.05) / (dark + 0.05);
}

/** A colour with so much of another in it: 0 to 1. */
function mixed(color: string, other: string, part: number): string {
  const to = channels(other);
  const mix = channels(color).map((channel, i) =>
    Math.round(channel + ((to[i] ?? 0) - channel) * part),
  );
  return `#${mix.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The colour itself where the text on it can be read, otherwise the nearest shade on which it can:
 * white on the specification's #3182ce or #e53e3e falls just short of AA.
 */
export function readableShade(color: string, text: '#ffffff' | '#000000'): string {
  const away = text === '#ffffff' ? '#000000' : '#ffffff';
  let shade = color;
  for (let part = STEP; contrast(shade, text) < WANTED_CONTRAST && part <= 1; part += STEP)
    shade = mixed(color, away, part);
  return shade;
}
