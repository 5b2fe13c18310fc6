import { setImmediate as nextTurn } from 'node:timers/promises';

/** How much is written in one turn of the event loop, in characters: a few milliseconds. */
const WRITTEN_A_TURN = 300_000;

/** Writes a list as JSON, however long it is without holding up what else there is to do. @param write of one, as JSON */
export async function writtenList<T>(all: readonly T[], write: (one: T) => string): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  let hasTurned = false;
  for (const one of all) {
    const text = write(one);
    texts.push(text);
    length += text.length;
    if (length < WRITTEN_A_TURN) continue;
    length = 0;
    hasTurned = true;
    await nextTurn();
  }
  // Of a long list this takes a while of its own.
  if (hasTurned) await nextTurn();
  return `[${texts.join(',')}]`;
}

/** The bytes of a text; of a long one they are made in a turn of their own. */
export async function bytesOf(text: string): Promise<Buffer> {
  if (text.length > WRITTEN_A_TURN) await nextTurn();
  return Buffer.from(text);
}
