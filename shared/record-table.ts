/** The key of a record among those of its kind. */
export type RecordId = number | string;

/** Records whose numeric ids share all but their last eight bits are in one chunk. */
const CHUNK_BITS = 8;
type Chunk<R> = ReadonlyMap<RecordId, R>;

/**
 * An immutable table from id to record. A change copies one chunk and the list of chunks, not the table:
 * a board of 25,000 claims pays for some hundred pointers a change.
 */
export class RecordTable<R> {
  readonly size: number;
  readonly #chunks: ReadonlyMap<number, Chunk<R>>;

  private constructor(chunks: ReadonlyMap<number, Chunk<R>>, size: number) {
    this.#chunks = chunks;
    this.size = size;
  }

  static empty<R>(): RecordTable<R> {
    return new RecordTable<R>(new Map(), 0);
  }

  static of<R>(entries: Iterable<readonly [RecordId, R]>): RecordTable<R> {
    const chunks = new Map<number, Map<RecordId, R>>();
    let size = 0;
    for (const [id, record] of entries) {
      const at = chunkOf(id);
      const chunk = chunks.get(at) ?? new Map<RecordId, R>();
      if (!chunk.has(id)) size += 1;
      chunks.set(at, chunk.set(id, record));
    }
    return new RecordTable(chunks, size);
  }

  get(id: RecordId): R | undefined {
    return this.#chunks.get(chunkOf(id))?.get(id);
  }

  /** In the order in which the chunks and their records were created, not by id. */
  *values(): IterableIterator<R> {
    for (const chunk of this.#chunks.values()) yield* chunk.values();
  }

  put(id: RecordId, record: R): RecordTable<R> {
    const at = chunkOf(id);
    const chunk = new Map(this.#chunks.get(at));
    const size = chunk.has(id) ? this.size : this.size + 1;
    chunk.set(id, record);
    return new RecordTable(new Map(this.#chunks).set(at, chunk), size);
  }

  remove(id: RecordId): RecordTable<R> {
    const at = chunkOf(id);
    const old = this.#chunks.get(at);
    if (!old?.has(id)) return this;
    const chunk = new Map(old);
    chunk.delete(id);
    const chunks = new Map(this.#chunks);
    if (chunk.size > 0) chunks.set(at, chunk);
    else chunks.delete(at);
    return new RecordTable(chunks, this.size - 1);
  }
}

function chunkOf(id: RecordId): number {
  return typeof id === 'number' ? id >> CHUNK_BITS : -1;
}
