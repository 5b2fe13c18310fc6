import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import gifenc from 'gifenc';
import { ANY_LOOK, LOOKS, type Look } from './looks.ts';
import { INKS, paletteOf, type Tint } from './palette.ts';
import {
  Canvas,
  type Drawing,
  doubled,
  flipped,
  lit,
  mirrored,
  quarterTurned,
  readDrawings,
} from './pixels.ts';
import { NO_REGION, REGIONS, TINTS } from './tints.ts';

const SIZE = 32;
const FULL_WIDTH = 15;

interface Spot {
  name: string;
  image: string;
}
interface Catalogue {
  categories: { name: string; respawns: Spot[] }[];
  uncategorised: Spot[];
}

const here = new URL('./', import.meta.url);
const images = new URL('images/', here);
const motifs = new Map(
  ['creatures', 'places', 'things'].flatMap((file) => [
    ...readDrawings(new URL(`motifs/${file}.txt`, here)),
  ]),
);
const signs = readDrawings(new URL('motifs/badges.txt', here));

function find(drawings: Map<string, Drawing>, name: string): Drawing {
  const drawing = drawings.get(name);
  if (drawing === undefined) throw new Error(`Nobody has drawn "${name}"`);
  return drawing;
}

function compass(direction: string): Drawing {
  const north = find(signs, 'north');
  if (direction === 'north') return north;
  if (direction === 'south') return quarterTurned(quarterTurned(north));
  if (direction === 'middle') return find(signs, 'middle');
  const east = find(signs, 'east');
  return direction === 'east' ? east : flipped(east);
}

/** FNV-1a: the same name always gives the same number. */
function seed(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** Deeper floors turn the hue further: golds and browns towards red, which becomes them, the rest onwards. */
function turned(tint: Tint, step: number, wobble: number): Tint {
  const onwards = tint.hue < 40 || tint.hue > 115 ? step : -0.6 * step;
  return { ...tint, hue: (tint.hue + onwards + wobble + 360) % 360 };
}

/** A dark plate in a lower corner with a sign on it. */
function plate(canvas: Canvas, sign: Drawing, corner: 'left' | 'right'): void {
  const width = (sign[0]?.length ?? 0) + 4;
  const height = sign.length + 4;
  const left = corner === 'right' ? SIZE - width : 0;
  const top = SIZE - height;
  canvas.fill(left, top + 1, width, height - 2, 'o');
  canvas.fill(left + 1, top, width - 2, height, 'o');
  canvas.draw(sign, left + 2, top + 2);
}

function emblem(spot: Spot, region: string): Uint8Array {
  const name = spot.name.toLowerCase();
  const look: Look = LOOKS.find(([words]) => words.test(name))?.[1] ?? ANY_LOOK;
  const floor = /-(\d)|\bwarzone (\d)/.exec(name);
  const number = floor?.[1] ?? floor?.[2];
  const direction = /\b(north|east|south|west|middle)$/.exec(name)?.[1];

  const [first, second] = REGIONS[region] ?? NO_REGION;
  const step =
    number === undefined ? 0 : (Number(number) - 1) * (floor?.[2] === undefined ? 26 : 40);
  const wobble = (seed(name) % 13) - 6;
  const palette = paletteOf(
    turned(TINTS[look.tint ?? first], step, wobble),
    turned(TINTS[look.second ?? second], step, wobble),
    TINTS[look.signTint ?? 'sea'],
  );

  const drawn = find(motifs, look.motif);
  const motif = drawn[0]?.length === FULL_WIDTH ? drawn : mirrored(drawn);
  const canvas = new Canvas(SIZE);
  canvas.draw(lit(doubled(motif)), 1, 1);
  canvas.outline();
  if (look.sign !== undefined) {
    const sign = find(signs, look.sign);
    canvas.cutIn(sign, SIZE - 1 - (sign[0]?.length ?? 0), SIZE - 1 - sign.length);
  }
  if (number !== undefined)
    plate(canvas, find(signs, number), look.sign === undefined ? 'right' : 'left');
  if (direction !== undefined)
    plate(canvas, compass(direction), number === undefined ? 'right' : 'left');

  const gif = gifenc.GIFEncoder();
  gif.writeFrame(canvas.indexed(INKS), SIZE, SIZE, {
    palette,
    transparent: true,
    transparentIndex: 0,
  });
  gif.finish();
  return gif.bytes();
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

const catalogue = JSON.parse(readFileSync(new URL('catalogue.json', here), 'utf8')) as Catalogue;
const spots = [
  ...catalogue.categories.flatMap(({ name, respawns }) =>
    respawns.map((spot) => ({ spot, region: name })),
  ),
  ...catalogue.uncategorised.map((spot) => ({ spot, region: '' })),
  // Of a spot that was imported without a picture.
  { spot: { name: 'Any spot', image: 'any-spot.gif' }, region: '' },
];

const drawnBy = new Map<string, string>();
const files = new Map<string, Uint8Array>();
for (const { spot, region } of spots) {
  if (spot.image !== `${slug(spot.name)}.gif`)
    throw new Error(`${spot.name}: its image should be ${slug(spot.name)}.gif`);
  if (files.has(spot.image)) throw new Error(`${spot.name} is listed twice`);
  const bytes = emblem(spot, region);
  const key = Buffer.from(bytes).toString('base64');
  const twin = drawnBy.get(key);
  if (twin !== undefined) throw new Error(`${spot.name} and ${twin} have the same emblem`);
  drawnBy.set(key, spot.name);
  files.set(spot.image, bytes);
}

mkdirSync(images, { recursive: true });
for (const file of readdirSync(images)) if (!files.has(file)) rmSync(new URL(file, images));
for (const [file, bytes] of files) writeFileSync(new URL(file, images), bytes);
const total = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
console.log(`${files.size} emblems, ${motifs.size} motifs, ${Math.ceil(total / 1024)} kB`);
