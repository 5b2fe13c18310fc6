import {
  type ComponentType,
  createElement,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
} from 'react';
import { ownBuild, reloadOnce } from './new-build.ts';

/** A part of the program that could not be fetched: the network failed, or a deployment has taken its file away. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
  /** Makes the next render fetch the part again; called by the boundary that catches this. */
  forget: () => void = () => {};
}

/**
 * Loads a chunk. If that fails, reloads the page once per build, because the chunk may have a new name. Never settles while the page
 * reloads.
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
 * A component that is loaded when first shown. After a boundary has reported a failure, the next render loads it again, where browsers
 * retry failed imports (see `reloadPage`).
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
): (props: P) => ReactNode {
  const start = (): LazyExoticComponent<ComponentType<P>> =>
    lazy(async () => {
      try {
        return { default: await loadPart(load) };
      } catch (error) {
        // Not immediately: pending renders would suspend forever.
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
