import { setImmediate as nextTurn } from 'node:timers/promises';

/** How much is written in one turn of the event loop, in characters: a few milliseconds. */
const WRITTEN_A_TURN = 300_000;

/** Writes a list as JSON, however long it is without holding up what else there is to do. @param write of one, as JSON */
export async function writtenList<T>(all: readonly T[], write: (one: T) => string): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  for (const one of all) {
    const text = write(one);
    texts.push(text);
    length += text.length;
    if (length < WRITTEN_A_TURN) continue;
    length = 0;
    await nextTurn();
  }
  return `[${texts.join(',')}]`;
}
