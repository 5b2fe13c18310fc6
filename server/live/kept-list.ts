import { type Kind, type RecordByKind, recordId } from '../../shared/live.ts';
import type { RecordId } from '../../shared/record-table.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { MAX_LIST } from '../../shared/schemas/fields.ts';
import { writtenList } from './written-list.ts';

/** Activity entries that an admin starts with; older ones are read page by page. */
export const ACTIVITY_KEPT = 100;

type Order<R> = (one: R, other: R) => number;

/** How a snapshot lists the records of a kind. */
interface Listing<R> {
  order: Order<R>;
  /** The most it lists. */
  most: number;
  /** Only ever grows at its top: what falls out at the bottom is known. Of another full list it is not, nor what moves up. */
  isLog: boolean;
}

const newestFirst = (one: { id: number }, other: { id: number }): number => other.id - one.id;
const byText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
const byName = (one: string, other: string): number => byText(nameKey(one), nameKey(other));
const listing = <R>(order: Order<R>, most = Number.POSITIVE_INFINITY): Listing<R> => ({ order, most, isLog: false });

const LISTINGS: { readonly [K in Kind]: Listing<RecordByKind[K]> } = {
  claim: listing((one, other) => one.id - other.id),
  respawn: listing((one, other) => byName(one.name, other.name) || one.id - other.id),
  category: listing((one, other) => byName(one.name, other.name) || one.id - other.id),
  member_type: listing((one, other) => other.is_system - one.is_system || byName(one.member_type, other.member_type)),
  event: listing((one, other) => byText(other.start_time, one.start_time) || newestFirst(one, other), MAX_LIST),
  config: listing(() => 0),
  access_key: listing(newestFirst, MAX_LIST),
  verified_code: listing(newestFirst, MAX_LIST),
  activity: { order: newestFirst, most: ACTIVITY_KEPT, isLog: true },
};

/** A record, and its JSON once it was asked for. */
interface Entry<R> {
  readonly record: R;
  text: string | null;
}

function textOf<R>(entry: Entry<R>): string {
  entry.text ??= JSON.stringify(entry.record);
  return entry.text;
}

/** A list as it was at one moment. */
export interface ListView<R> {
  records: readonly R[];
  /** As JSON. */
  write: () => Promise<string>;
}

/** The records of one kind in the order in which a snapshot lists them. A change costs a search and a move of pointers. */
export class KeptList<K extends Kind> {
  readonly #listing: Listing<RecordByKind[K]>;
  readonly #byId = new Map<RecordId, Entry<RecordByKind[K]>>();
  readonly #sorted: Entry<RecordByKind[K]>[];

  constructor(kind: K, records: readonly RecordByKind[K][] = []) {
    this.#listing = LISTINGS[kind];
    for (const record of records) this.#byId.set(recordId(record), { record, text: null });
    this.#sorted = [...this.#byId.values()].sort((one, other) => this.#listing.order(one.record, other.record));
  }

  /** As it is now, whatever is put later. */
  view(): ListView<RecordByKind[K]> {
    const entries = this.#sorted.slice();
    return { records: entries.map(({ record }) => record), write: () => writtenList(entries, textOf) };
  }

  /** @returns whether the list is still the one that would be read; if not, only reading tells */
  put(record: RecordByKind[K]): boolean {
    const { most, isLog } = this.#listing;
    const id = recordId(record);
    const before = this.#byId.get(id);
    const isFull = this.#byId.size >= most;
    if (isFull && !isLog) return false;
    if (before) this.#sorted.splice(this.#placeOf(before.record), 1);
    const entry = { record, text: null };
    this.#byId.set(id, entry);
    this.#sorted.splice(this.#placeOf(record), 0, entry);
    const last = this.#sorted.length > most ? this.#sorted.pop() : undefined;
    if (last) this.#byId.delete(recordId(last.record));
    return true;
  }

  /** @returns likewise */
  remove(id: RecordId): boolean {
    if (this.#byId.size >= this.#listing.most) return false;
    const before = this.#byId.get(id);
    if (!before) return true;
    this.#sorted.splice(this.#placeOf(before.record), 1);
    this.#byId.delete(id);
    return true;
  }

  /** Where the record stands, or would: the first place that is not before it. */
  #placeOf(record: RecordByKind[K]): number {
    let [from, to] = [0, this.#sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const there = this.#sorted[middle];
      if (there && this.#listing.order(there.record, record) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
