import type { Color } from 'gifenc';

/**
 * The sixteen colours of an emblem, by the character that stands for each in a drawing:
 * first hue `a A d`, second hue `b B c`, bone `w x v` and gold `g G h` (mid, light, dark),
 * outline `o`, glowing red `r`, element `e`, and `.` for nothing.
 */
export const INKS = '.aAdbBcwxvgGhore';

/** A hue in degrees (OKLCH), or stone: a grey that leans to a hue. */
export interface Tint {
  hue: number;
  chroma?: number;
  lightness?: number;
}

const MID = 0.68;

export function paletteOf(first: Tint, second: Tint, element: Tint): Color[] {
  const bone: Tint = { hue: 85, chroma: 0.035, lightness: 0.82 };
  const gold: Tint = { hue: 82, chroma: 0.14, lightness: 0.78 };
  return [
    [0, 0, 0],
    ...tones(first),
    ...tones({ lightness: 0.62, ...second }),
    ...tones(bone),
    ...tones(gold),
    oklch(0.23, 0.035, first.hue),
    oklch(0.63, 0.21, 25),
    oklch(element.lightness ?? 0.72, element.chroma ?? 0.15, element.hue),
  ];
}

/** Mid, light and dark of one hue: light leans to yellow, dark to blue, as painted shade does. */
function tones({ hue, chroma = 0.13, lightness = MID }: Tint): Color[] {
  return [
    oklch(lightness, chroma, hue),
    oklch(Math.min(lightness + 0.15, 0.96), chroma * 0.75, lean(hue, 95)),
    oklch(lightness - 0.17, chroma * 0.95, lean(hue, 280)),
  ];
}

function lean(hue: number, towards: number): number {
  const apart = ((towards - hue + 540) % 360) - 180;
  return hue + Math.sign(apart) * Math.min(Math.abs(apart), 9);
}

function oklch(lightness: number, chroma: number, hue: number): Color {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function channel(linear: number): number {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(Math.max(value, 0), 1) * 255);
}
