import { readFileSync } from 'node:fs';

/** Rows of ink characters; see `palette.ts`. */
export type Drawing = readonly string[];

const NOTHING = '.';
const OUTLINE = 'o';
const LIT: Readonly<Record<string, string>> = { a: 'A', b: 'B', w: 'x', g: 'G' };
const SHADED: Readonly<Record<string, string>> = { a: 'd', b: 'c', w: 'v', g: 'h' };

/** Reads a file of drawings: each a name, its rows, an empty line. `#` begins a comment. */
export function readDrawings(file: URL): Map<string, Drawing> {
  const drawings = new Map<string, Drawing>();
  for (const block of readFileSync(file, 'utf8').split(/\n\s*\n/)) {
    const [name, ...rows] = block
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    if (name === undefined) continue;
    const width = rows[0]?.length ?? 0;
    const ragged = rows.some((row) => row.length !== width);
    if (rows.length === 0 || ragged) throw new Error(`Drawing ${name}: rows of unequal width`);
    if (drawings.has(name)) throw new Error(`Drawing ${name} is listed twice`);
    drawings.set(name, rows);
  }
  return drawings;
}

/** The right half of a symmetric drawing is its left half, the last column given once. */
export function mirrored(half: Drawing): Drawing {
  return half.map((row) => row + [...row].reverse().slice(1).join(''));
}

export function flipped(drawing: Drawing): Drawing {
  return drawing.map((row) => [...row].reverse().join(''));
}

export function quarterTurned(drawing: Drawing): Drawing {
  const width = drawing[0]?.length ?? 0;
  return Array.from({ length: width }, (_, x) =>
    drawing
      .map((row) => row[x] ?? NOTHING)
      .reverse()
      .join(''),
  );
}

function at(drawing: Drawing, x: number, y: number): string {
  return drawing[y]?.[x] ?? NOTHING;
}

/** Twice the size with rounded corners (the Scale2x rule). */
export function doubled(drawing: Drawing): Drawing {
  return drawing.flatMap((row, y) => {
    const rows = ['', ''];
    for (const [x, ink] of [...row].entries()) {
      const up = at(drawing, x, y - 1);
      const left = at(drawing, x - 1, y);
      const right = at(drawing, x + 1, y);
      const down = at(drawing, x, y + 1);
      const corner = up !== down && left !== right;
      rows[0] += (corner && left === up ? left : ink) + (corner && up === right ? right : ink);
      rows[1] += (corner && left === down ? left : ink) + (corner && down === right ? right : ink);
    }
    return rows;
  });
}

/** Light falls from the upper left: edges towards it are lit, edges away from it shaded. */
export function lit(drawing: Drawing): Drawing {
  const empty = (x: number, y: number): boolean => at(drawing, x, y) === NOTHING;
  return drawing.map((row, y) =>
    [...row]
      .map((ink, x) => {
        if (empty(x + 1, y) || empty(x, y + 1)) return SHADED[ink] ?? ink;
        if (empty(x - 1, y) || empty(x, y - 1)) return LIT[ink] ?? ink;
        return ink;
      })
      .join(''),
  );
}

export class Canvas {
  readonly size: number;
  readonly #cells: string[];

  constructor(size: number) {
    this.size = size;
    this.#cells = new Array<string>(size * size).fill(NOTHING);
  }

  get(x: number, y: number): string {
    const inside = x >= 0 && y >= 0 && x < this.size && y < this.size;
    return inside ? (this.#cells[y * this.size + x] ?? NOTHING) : NOTHING;
  }

  set(x: number, y: number, ink: string): void {
    if (x >= 0 && y >= 0 && x < this.size && y < this.size) this.#cells[y * this.size + x] = ink;
  }

  draw(drawing: Drawing, left: number, top: number): void {
    for (const [y, row] of drawing.entries()) {
      for (const [x, ink] of [...row].entries())
        if (ink !== NOTHING) this.set(left + x, top + y, ink);
    }
  }

  /** A sign cut into what is drawn: with a margin of outline all round. */
  cutIn(drawing: Drawing, left: number, top: number): void {
    for (const [y, row] of drawing.entries()) {
      for (const [x, ink] of [...row].entries()) {
        if (ink === NOTHING) continue;
        for (const [dx, dy] of AROUND) this.set(left + x + dx, top + y + dy, OUTLINE);
      }
    }
    this.draw(drawing, left, top);
  }

  fill(left: number, top: number, width: number, height: number, ink: string): void {
    for (let y = top; y < top + height; y += 1)
      for (let x = left; x < left + width; x += 1) this.set(x, y, ink);
  }

  /** A dark line around all that is drawn. */
  outline(): void {
    const before = [...this.#cells];
    const drawn = (x: number, y: number): boolean =>
      x >= 0 && y >= 0 && x < this.size && y < this.size && before[y * this.size + x] !== NOTHING;
    for (let y = 0; y < this.size; y += 1) {
      for (let x = 0; x < this.size; x += 1) {
        if (drawn(x, y)) continue;
        if (drawn(x - 1, y) || drawn(x + 1, y) || drawn(x, y - 1) || drawn(x, y + 1))
          this.set(x, y, OUTLINE);
      }
    }
  }

  indexed(inks: string): Uint8Array {
    return Uint8Array.from(this.#cells, (ink) => {
      const index = inks.indexOf(ink);
      if (index < 0) throw new Error(`No colour for "${ink}"`);
      return index;
    });
  }
}

const AROUND = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));
