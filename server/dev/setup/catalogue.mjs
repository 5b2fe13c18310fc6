/** Keeps a copy of the catalogue beside the build: deleting `data/`, to start afresh, deletes the catalogue, too. */

import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { at, complain, messageOf } from './command.mjs';

const source = 'data/catalogue';
/** `server/board/catalogue/catalogue.ts` reads it. */
const copy = 'client/dist.catalogue';

export function keepCatalogue() {
  if (!existsSync(at(source, 'catalogue.json')) || isCopied()) return;
  const next = at(`${copy}.next`);
  try {
    rmSync(next, { recursive: true, force: true });
    for (const part of ['catalogue.json', 'images'])
      cpSync(at(source, part), `${next}/${part}`, { recursive: true });
    rmSync(at(copy), { recursive: true, force: true });
    renameSync(next, at(copy));
  } catch (error) {
    // Everything works without it until data/ is deleted.
    complain(`The catalogue could not be copied to ${copy}: ${messageOf(error)}`);
  }
}

/** Whether both have the same list of spots and as many pictures. */
function isCopied() {
  if (!existsSync(at(copy, 'catalogue.json'))) return false;
  const [one, other] = [source, copy].map((folder) => ({
    list: readFileSync(at(folder, 'catalogue.json'), 'utf8'),
    pictures: readdirSync(at(folder, 'images')).length,
  }));
  return one?.list === other?.list && one?.pictures === other?.pictures;
}
