import type { Load } from './load/start.ts';
import type { Program } from './program.ts';
import type { Progress } from './progress.ts';
import type { Sizes } from './sizes.ts';
import type { Stand } from './stand.ts';

/** What rows measure with; each part is created when a row first needs it. */
export interface Bench {
  sizes: Sizes;
  folder: string;
  load: Load;
  step: Progress['step'];
  /** The guilds with few and with many past claims. */
  few: () => Promise<Stand>;
  many: () => Promise<Stand>;
  bare: () => Promise<Program>;
}
