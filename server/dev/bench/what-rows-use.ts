import type { Load } from './load/start.ts';
import type { Program } from './program.ts';
import type { Progress } from './progress.ts';
import type { Sizes } from './sizes.ts';
import type { Stand } from './stand.ts';

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
