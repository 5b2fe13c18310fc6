import type { Upkeep } from '../db/write.ts';
import { holdsDue } from '../waits/due.ts';
import { serveLines } from '../waits/serve.ts';
import { createUpkeep } from './upkeep.ts';

/** All that ends by itself, and how what comes free by it is offered. */
export const upkeepOf = (): Upkeep => createUpkeep([holdsDue], serveLines);
