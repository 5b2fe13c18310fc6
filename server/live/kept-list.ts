import type { RecordId } from '../../shared/record-table.ts';
import type { Listing } from './listing.ts';
import { writtenList } from './written-list.ts';

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
export class KeptList<R> {
  readonly #listing: Listing<R>;
  readonly #byId = new Map<RecordId, Entry<R>>();
  readonly #sorted: Entry<R>[];

  constructor(listing: Listing<R>, records: readonly R[]) {
    this.#listing = listing;
    for (const record of records) this.#byId.set(listing.id(record), { record, text: null });
    this.#sorted = [...this.#byId.values()].sort((one, other) => this.#listing.order(one.record, other.record));
  }

  /** As it is now, whatever is put later. */
  view(): ListView<R> {
    const entries = this.#sorted.slice();
    return { records: entries.map(({ record }) => record), write: () => writtenList(entries, textOf) };
  }

  /** @returns whether the list is still the one that would be read; if not, only reading tells */
  put(record: R): boolean {
    const { id: idOf, most, isLog } = this.#listing;
    const id = idOf(record);
    const before = this.#byId.get(id);
    const isFull = this.#byId.size >= most;
    if (isFull && !isLog) return false;
    if (before) this.#sorted.splice(this.#placeOf(before.record), 1);
    const entry = { record, text: null };
    this.#byId.set(id, entry);
    this.#sorted.splice(this.#placeOf(record), 0, entry);
    const last = this.#sorted.length > most ? this.#sorted.pop() : undefined;
    if (last) this.#byId.delete(idOf(last.record));
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
  #placeOf(record: R): number {
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
