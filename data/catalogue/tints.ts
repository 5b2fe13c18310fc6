import type { Tint } from './palette.ts';

/** Colours that mean something wherever they stand. */
export const TINTS = {
  sand: { hue: 80, chroma: 0.1, lightness: 0.74 },
  ember: { hue: 38, chroma: 0.17, lightness: 0.66 },
  blood: { hue: 20, chroma: 0.17, lightness: 0.58 },
  rose: { hue: 355, chroma: 0.13, lightness: 0.7 },
  violet: { hue: 305, chroma: 0.14, lightness: 0.64 },
  night: { hue: 280, chroma: 0.11, lightness: 0.6 },
  sea: { hue: 240, chroma: 0.12, lightness: 0.67 },
  ice: { hue: 218, chroma: 0.1, lightness: 0.76 },
  teal: { hue: 190, chroma: 0.1, lightness: 0.68 },
  leaf: { hue: 145, chroma: 0.14, lightness: 0.66 },
  venom: { hue: 125, chroma: 0.16, lightness: 0.72 },
  moss: { hue: 115, chroma: 0.1, lightness: 0.62 },
  sun: { hue: 85, chroma: 0.15, lightness: 0.78 },
  fur: { hue: 55, chroma: 0.09, lightness: 0.6 },
  fox: { hue: 50, chroma: 0.15, lightness: 0.68 },
  steel: { hue: 250, chroma: 0.03, lightness: 0.68 },
  stone: { hue: 70, chroma: 0.025, lightness: 0.64 },
  bronze: { hue: 65, chroma: 0.09, lightness: 0.64 },
} as const satisfies Record<string, Tint>;
export type TintName = keyof typeof TINTS;

/** What a region's emblems wear when the spot's name does not say otherwise. */
export const REGIONS: Readonly<Record<string, readonly [first: TintName, second: TintName]>> = {
  "Ab'Dendriel": ['leaf', 'bronze'],
  Ankrahmun: ['sand', 'teal'],
  Candia: ['rose', 'fur'],
  Carlin: ['sea', 'bronze'],
  Darashia: ['sand', 'blood'],
  Edron: ['sea', 'sun'],
  Ferumbras: ['violet', 'ember'],
  Feyrist: ['rose', 'leaf'],
  Gnomprona: ['teal', 'rose'],
  'Gray Island': ['teal', 'moss'],
  Ingol: ['moss', 'rose'],
  'Isle of Ada': ['leaf', 'fur'],
  Issavi: ['sand', 'sea'],
  Kazordoon: ['bronze', 'ember'],
  Krailos: ['moss', 'ember'],
  'Liberty Bay': ['teal', 'bronze'],
  Library: ['violet', 'sun'],
  Marapur: ['ice', 'rose'],
  Oramond: ['moss', 'bronze'],
  'Port Hope': ['leaf', 'rose'],
  Roshamuul: ['stone', 'blood'],
  'Rotten Blood': ['blood', 'moss'],
  'Soul War': ['night', 'ember'],
  Svargrond: ['ice', 'sea'],
  Thais: ['sea', 'blood'],
  Vengoth: ['night', 'blood'],
  Venore: ['moss', 'violet'],
  Warzones: ['ember', 'steel'],
  Yalahar: ['steel', 'violet'],
  Zao: ['venom', 'ember'],
};
export const NO_REGION: readonly [TintName, TintName] = ['sun', 'night'];
