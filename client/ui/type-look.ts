import { badgeTextColor, MEMBER_TYPE_COLORS } from '../../shared/rules/badge.ts';
import { readableShade } from './readable-shade.ts';

/** How a member type's bars look. Hues alone don't tell members from elites without colour vision: each bar has its letter, too. */
export interface TypeLook {
  /** Its own colour, or the nearest shade on which its text is read. */
  ground: string;
  /** Black or white: the one with more contrast. */
  text: '#ffffff' | '#000000';
  /** The letter in its bars; two where a built-in type has the first. */
  letter: string;
}

const known = new Map<string, TypeLook>();

export function typeLook(memberType: string, color: string): TypeLook {
  const key = `${color} ${memberType}`;
  const look = known.get(key) ?? newLook(memberType, color);
  known.set(key, look);
  return look;
}

function newLook(memberType: string, color: string): TypeLook {
  const text = badgeTextColor(color);
  return { ground: readableShade(color, text), text, letter: letterOf(memberType) };
}

const BUILT_IN = Object.keys(MEMBER_TYPE_COLORS);
const firstOf = (memberType: string): string => [...memberType.toUpperCase()][0] ?? '';

function letterOf(memberType: string): string {
  const first = firstOf(memberType);
  const isTaken =
    !BUILT_IN.includes(memberType) && BUILT_IN.some((type) => firstOf(type) === first);
  return isTaken ? first + ([...memberType.toLowerCase()][1] ?? '') : first;
}
