import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { ownBuild, reloadOnce } from './new-build.ts';

/** A part of the program that could not be fetched: the network failed, or a deployment has taken its file away. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

/**
 * Fetches a part of the program. One that does not come loads the page anew, once for each build: the part may have another
 * name by now. It never ends where the page is going away.
 * @throws PartMissing
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (await reloadOnce(`part:${ownBuild()}`)) return new Promise<T>(() => {});
    throw new PartMissing('a part of the program could not be fetched', { cause });
  }
}

/** A component that is fetched when it is first shown. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await loadPart(load) }));
}
