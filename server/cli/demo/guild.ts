/** A small seeded generator (mulberry32): the demo guild is the same on every machine. @returns numbers from 0 up to 1 */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const FIRST_NAMES = [
  'Arden',
  'Bryn',
  'Cass',
  'Dara',
  'Elowen',
  'Fenn',
  'Gideon',
  'Hale',
  'Iris',
  'Jorun',
  'Kael',
  'Lark',
  'Mira',
  'Nim',
  'Odo',
];
const LAST_NAMES = ['Vale', 'Castell', 'Stormcrow', 'Holt'];
const TYPES = ['member', 'member', 'member', 'elite', 'vice'];

export interface Hunter {
  characterName: string;
  memberType: string;
}

/** Sixty invented characters: three in five are members, the others elite and vice. */
export const HUNTERS: readonly Hunter[] = LAST_NAMES.flatMap((last, row) =>
  FIRST_NAMES.map((first, column) => ({
    characterName: `${first} ${last}`,
    memberType: TYPES[(row * 2 + column) % TYPES.length] ?? 'member',
  })),
);
