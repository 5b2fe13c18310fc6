import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect: () => void = vm.runInNewContext('gc');

/** What is held, in bytes, when all that nobody holds is gone. */
export async function heldBytes(): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    collect();
    // What waits to be told that something is gone is told, and lets go of more.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return v8.getHeapStatistics().used_heap_size;
}
