import { readFileSync } from 'node:fs';
import path from 'node:path';

type Rgb = readonly [number, number, number];

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const light = (hex: string): Rgb => {
  const at = (from: number): number => linear(Number.parseInt(hex.slice(from, from + 2), 16) / 255);
  return [at(1), at(3), at(5)];
};
const clamped = (part: number): number => Math.min(1, Math.max(0, part));

/** Simulates deuteranopia (Machado, Oliveira and Fernandes 2009), in linear RGB. */
function deuteranope(hex: string): Rgb {
  const [r, g, b] = light(hex);
  return [
    clamped(0.367322 * r + 0.860646 * g - 0.227968 * b),
    clamped(0.280085 * r + 0.672501 * g + 0.047413 * b),
    clamped(-0.01182 * r + 0.04294 * g + 0.968881 * b),
  ];
}

function lab([r, g, b]: Rgb): Rgb {
  const f = (part: number): number => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** How far apart two colours are to that eye (CIE 1976): 2 is just seen side by side, 20 at a glance. */
export function deuteranopeDistance(one: string, other: string): number {
  const a = lab(deuteranope(one));
  const b = lab(deuteranope(other));
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function tokens(): ReadonlyMap<string, readonly [light: string, dark: string]> {
  const css = readFileSync(path.resolve(import.meta.dirname, '../tokens.css'), 'utf8');
  const pairs = css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g);
  return new Map([...pairs].map(([, name = '', light = '', dark = '']) => [name, [light, dark]]));
}
