import { defineMapCollector } from '../db/unit-of-work.ts';

/** Spots that this write enables, disables, deletes or restores, by id: the names of deleted ones, which no query finds; null: it exists. */
export const changedSpots = defineMapCollector<number, string | null>();
