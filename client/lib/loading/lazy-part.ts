import { type ComponentType, createElement, type LazyExoticComponent, lazy, type ReactNode } from 'react';
import { ownBuild, reloadOnce } from './new-build.ts';

/** A part of the program that could not be fetched: the network failed, or a deployment has taken its file away. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
  /** Lets whoever shows the part next fetch it once more; whoever catches this calls it. */
  forget: () => void = () => {};
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

/**
 * A component that is fetched when it is first shown. One that could not be fetched fails whoever shows it; after a boundary has
 * said so, whoever shows it next asks for it again, where the browser does so after an import failed (see `reloadPage`).
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  const start = (): LazyExoticComponent<ComponentType<P>> =>
    lazy(async () => {
      try {
        return { default: await loadPart(load) };
      } catch (error) {
        // Not at once: whoever waits for it now would wait anew, for ever.
        if (error instanceof PartMissing) error.forget = again;
        throw error;
      }
    });
  let part = start();
  const again = (): void => {
    part = start();
  };
  return function Part(props) {
    return createElement(part, props);
  };
}
