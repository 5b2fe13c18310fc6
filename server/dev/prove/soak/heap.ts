import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect: () => void = vm.runInNewContext('gc');

/** Bytes in use after garbage collection. */
export async function heldBytes(): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    collect();
    // Finalizers run, and release more.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return v8.getHeapStatistics().used_heap_size;
}
