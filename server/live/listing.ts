import type { RecordId } from '../../shared/record-table.ts';
import { nameKey } from '../../shared/rules/names.ts';

/** Activity entries that an admin starts with; older ones are read page by page. */
export const ACTIVITY_KEPT = 100;

export type Order<R> = (one: R, other: R) => number;

/** How a snapshot lists the records of a kind. */
export interface Listing<R> {
  id: (record: R) => RecordId;
  order: Order<R>;
  /** The most it lists. */
  most: number;
  /** Only ever grows at its top: what falls out at the bottom is known. Of another full list it is not, nor what moves up. */
  isLog: boolean;
}

export const newestFirst = (one: { id: number }, other: { id: number }): number => other.id - one.id;
export const byText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
export const byName = (one: string, other: string): number => byText(nameKey(one), nameKey(other));
