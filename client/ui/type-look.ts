import { badgeTextColor } from '../../shared/rules/badge.ts';
import { contrast, mixed, readableShade } from './readable-shade.ts';

/** Thin lines along a bar, as percentages of its height. They distinguish types without colour vision. */
type Lines = readonly (readonly [from: number, to: number])[];

const FOOT: Lines = [[88, 100]];
const RAILS: Lines = [
  [0, 12],
  [88, 100],
];
const HEAD: Lines = [[0, 12]];
const PLAIN: Lines = [];

/** A map, since admins choose the names: an object inherits a "constructor". */
const BUILT_IN: ReadonlyMap<string, Lines> = new Map([
  ['member', PLAIN],
  ['elite', FOOT],
  ['vice', RAILS],
]);
const OTHERS: readonly Lines[] = [HEAD, FOOT, RAILS];

/** How a member type's bars look. */
export interface TypeLook {
  /** Its own. */
  color: string;
  /** The nearest shade on which its text is read. */
  ground: string;
  /** Black or white: the one with more contrast. */
  text: '#ffffff' | '#000000';
  /** The colour of its lines. */
  shade: string;
  lines: Lines;
  /** The lines, as a background; undefined without any. */
  image: string | undefined;
  /** The letter in its bars. */
  letter: string;
}

const known = new Map<string, TypeLook>();

/** The look of a type with this colour. Types of one's own take lines by their name: the same ones everywhere, and for ever. */
export function typeLook(memberType: string, color: string): TypeLook {
  const key = `${color} ${memberType}`;
  const look = known.get(key) ?? newLook(memberType, color);
  known.set(key, look);
  return look;
}

function newLook(memberType: string, color: string): TypeLook {
  const text = badgeTextColor(color);
  const ground = readableShade(color, text);
  const shade = mixed(color, contrast(color, '#000000') > LEAST_DEPTH ? '#000000' : '#ffffff', SHADE);
  const lines = BUILT_IN.get(memberType) ?? OTHERS[sumOf(memberType) % OTHERS.length] ?? HEAD;
  const stops = lines.map(([from, to]) => `transparent ${from}%, ${shade} ${from}%, ${shade} ${to}%, transparent ${to}%`);
  const image = lines.length > 0 ? `linear-gradient(to bottom, ${stops.join(', ')})` : undefined;
  return { color, ground, text, shade, lines, image, letter: [...memberType.toUpperCase()][0] ?? '' };
}

/** How much of a line is black: a darker edge of the bar's own colour, where white ones would cut it to pieces. */
const SHADE = 0.5;
/** The contrast with black below which a colour has no room for a darker one: its lines are lighter. */
const LEAST_DEPTH = 2.5;

const sumOf = (text: string): number => [...text].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0);
