import type { Load } from './load/start.ts';
import type { Program } from './program.ts';
import type { Progress } from './progress.ts';
import type { Sizes } from './sizes.ts';
import type { Stand } from './stand.ts';

/** What the rows measure with; each part is made when a row first asks for it. */
export interface Bench {
  sizes: Sizes;
  folder: string;
  load: Load;
  step: Progress['step'];
  /** The guild with few claims of history, and the one with many. */
  few: () => Promise<Stand>;
  many: () => Promise<Stand>;
  bare: () => Promise<Program>;
}
