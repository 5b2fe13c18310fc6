import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  type BoardLists,
  KINDS_SEEN,
  type Kind,
  perKind,
  type RecordByKind,
  type RecordLists,
  type Room,
} from '../../shared/kinds.ts';
import { type ChangeSet, isKnown, type Snapshot } from '../../shared/live.ts';
import { type Dialect, type Reading, readOneState } from '../db/database.ts';
import type { StoredChangeSet } from '../db/unit-of-work.ts';
import type { Env } from '../env.ts';
import { type ChangeBus, changesFor } from './bus.ts';
import { writeJsonArray } from './encoding.ts';
import type { ListsByKind, RecordSources } from './record-kinds.ts';

/** Change sets to remember while a board is being read. If more arrive, the board is not kept in memory. */
const MAX_MISSED = 1_000;

/** A position in a room's history: within one epoch, boards with the same `changed_at` are equal. */
export interface BoardVersion {
  epoch: string;
  clock: number;
  /** The clock of the last change that the room sees. */
  changed_at: number;
}

interface BoardAt {
  clock: number;
  epoch: string;
  records: BoardLists;
}

export interface BoardSnapshot extends BoardAt, BoardVersion {
  /** The records as JSON. Snapshots of the same version share the `records` object. */
  toJson: () => Promise<string>;
}

interface ReadModelOptions extends Reading {
  bus: Pick<ChangeBus, 'epoch' | 'clock' | 'listen' | 'onNewHistory'>;
  dialect: Dialect;
  env: Env;
  now: () => Date;
  sources: RecordSources;
}

/** The board in memory, so that a snapshot costs the changes since the last one and not a reading of every table. */
export interface ReadModel {
  /** The board, at least as new as the bus; reads it from the database if it isn't in memory. */
  snapshot: (room: Room) => Promise<BoardSnapshot>;
  /** The version in memory if it is of the current epoch. It never waits and reads nothing. */
  version: (room: Room) => BoardVersion | null;
  /** The clock of the last change that named a character as an owner; 0 if there was none since this process started. */
  ownChangedAt: (character_key: string) => number;
  /** Reads the board from the database, not from memory: for tests and proofs. */
  readFresh: (room: Room) => Promise<BoardAt>;
}

export function createReadModel(options: ReadModelOptions): ReadModel {
  // Viewers see a part of the admins' records, so two boards are enough.
  const members = followBoard('members', options);
  const admins = followBoard('admins', options);
  const boardOf = (room: Room) => (room === 'members' ? members : admins);
  const ownChanges = followOwners(options.bus);
  return {
    snapshot: async (room) => {
      const taken = await boardOf(room).snapshot();
      return room === 'viewers' ? forViewers(taken) : taken;
    },
    version: (room) => boardOf(room).version(),
    ownChangedAt: (character_key) => ownChanges.get(character_key) ?? 0,
    readFresh: (room) => readRoomBoard(options, room),
  };
}

/** The clock of the last change of each owner, for this history. Only characters of the guild own records, so it grows no further. */
function followOwners(bus: ReadModelOptions['bus']): ReadonlyMap<string, number> {
  const changedAt = new Map<string, number>();
  bus.listen(({ clock, changes }) => {
    for (const { owners = [] } of changes) for (const owner of owners) changedAt.set(owner, clock);
  });
  bus.onNewHistory(() => changedAt.clear());
  return changedAt;
}

function followBoard(room: 'members' | 'admins', options: ReadModelOptions) {
  const { bus, sources } = options;
  let board: BoardInMemory | null = null;
  let reading: Promise<BoardSnapshot> | null = null;
  /** Change sets that arrived since the reading began; null: too many, or no reading is under way. */
  let missed: StoredChangeSet[] | null = null;

  bus.listen((set) => {
    if (missed && missed.push(set) > MAX_MISSED) missed = null;
    const before = board;
    // If applying throws, the half-changed board must not stay.
    board = null;
    if (before?.apply(changesFor(room, set))) board = before;
  });
  bus.onNewHistory(() => {
    board = null;
  });

  const read = async (): Promise<BoardSnapshot> => {
    missed = [];
    try {
      const found = await readRoomBoard(options, room);
      // Sorting a large board takes milliseconds of its own.
      await yieldToEventLoop();
      const next = new BoardInMemory(found, room, sources);
      const taken = next.snapshot();
      const isFollowing =
        next.epoch === bus.epoch &&
        missed?.every((set) => next.apply(changesFor(room, set))) === true;
      board = isFollowing ? next : null;
      return isFollowing ? next.snapshot() : taken;
    } finally {
      missed = null;
      reading = null;
    }
  };

  return {
    version: (): BoardVersion | null => (board?.epoch === bus.epoch ? board : null),
    snapshot: async (): Promise<BoardSnapshot> => {
      const wanted = bus.clock();
      const isNewEnough = ({ epoch, clock }: BoardVersion): boolean =>
        epoch === bus.epoch && clock >= wanted;
      // A read that started before this call may be too old. One that starts later is accepted with any clock: if the clock
      // went back, waiting for the old one would never end.
      for (let mayBeOld = reading !== null; ; mayBeOld = false) {
        if (board && isNewEnough(board)) return board.snapshot();
        // Concurrent callers share this read.
        reading ??= read();
        const taken = await reading;
        if (isNewEnough(taken) || (!mayBeOld && taken.epoch === bus.epoch)) return taken;
      }
    },
  };
}

async function readRoomBoard(
  { bus, sources, ...ctx }: ReadModelOptions,
  room: Room,
): Promise<BoardAt> {
  // Taken first: rows of an older history must not count as rows of the new one.
  const { epoch } = bus;
  return readOneState(ctx, async (tx) => {
    const { value: clock } = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    const records: Found = {};
    const readInto = async <K extends Kind>(kind: K): Promise<void> => {
      records[kind] = await sources[kind].read({ ...ctx, tx, room });
    };
    for (const kind of KINDS_SEEN[room]) await readInto(kind);
    return { clock, epoch, records: complete(records) };
  });
}

type Found = { -readonly [K in Kind]?: RecordLists[K] };

function complete(records: Snapshot): BoardLists {
  const hasBoard = (lists: Snapshot): lists is BoardLists =>
    KINDS_SEEN.members.every((kind) => lists[kind] !== undefined);
  if (!hasBoard(records)) throw new Error('a kind is missing');
  return records;
}

const put = <K extends Kind>(lists: ListsByKind, kind: K, record: RecordByKind[K]): boolean =>
  lists[kind].put(record);

class BoardInMemory implements BoardVersion {
  readonly epoch: string;
  readonly #room: Room;
  readonly #lists: ListsByKind;
  #clock: number;
  #changedAt: number;
  #snapshot: BoardSnapshot | null = null;

  constructor({ clock, epoch, records }: BoardAt, room: Room, sources: RecordSources) {
    this.epoch = epoch;
    this.#clock = clock;
    this.#changedAt = clock;
    this.#room = room;
    const found: Snapshot = records;
    this.#lists = perKind<ListsByKind>((kind) => sources[kind].createList(found[kind] ?? []));
  }

  get clock(): number {
    return this.#clock;
  }

  get changed_at(): number {
    return this.#changedAt;
  }

  /** @returns false if only a new read can tell the board's state */
  apply(set: ChangeSet): boolean {
    if (set.clock <= this.#clock) return true;
    if (set.clock !== this.#clock + 1) return false;
    for (const change of set.changes) {
      if (change.op === 'reset') return false;
      if (!isKnown(change)) continue;
      const fits =
        change.op === 'put'
          ? put(this.#lists, change.kind, change.record)
          : this.#lists[change.kind].remove(change.id);
      if (!fits) return false;
    }
    this.#clock = set.clock;
    if (set.changes.length > 0) this.#changedAt = set.clock;
    // An empty change set leaves the records as they are, and what was made of them stays valid.
    this.#snapshot =
      set.changes.length === 0 && this.#snapshot ? { ...this.#snapshot, clock: set.clock } : null;
    return true;
  }

  snapshot(): BoardSnapshot {
    this.#snapshot ??= this.#take();
    return this.#snapshot;
  }

  #take(): BoardSnapshot {
    const records: Found = {};
    const take = <K extends Kind>(kind: K): void => {
      records[kind] = this.#lists[kind].records();
    };
    for (const kind of KINDS_SEEN[this.#room]) take(kind);
    return withJson({
      clock: this.#clock,
      changed_at: this.#changedAt,
      epoch: this.epoch,
      records: complete(records),
    });
  }
}

function withJson(board: BoardAt & BoardVersion): BoardSnapshot {
  const kinds: Readonly<Record<string, readonly unknown[] | undefined>> = board.records;
  return {
    ...board,
    toJson: async () => {
      const written: string[] = [];
      for (const [kind, records = []] of Object.entries(kinds)) {
        written.push(
          `"${kind}":${await writeJsonArray(records, (record) => JSON.stringify(record))}`,
        );
      }
      return `{${written.join(',')}}`;
    },
  };
}

/** By the admins' snapshot, so that each one is reduced and written once. */
const viewersSnapshots = new WeakMap<BoardSnapshot, BoardSnapshot>();

function forViewers(taken: BoardSnapshot): BoardSnapshot {
  const known = viewersSnapshots.get(taken);
  if (known) return known;
  const seen: readonly string[] = KINDS_SEEN.viewers;
  const records: Snapshot = Object.fromEntries(
    Object.entries(taken.records).filter(([kind]) => seen.includes(kind)),
  );
  const reduced = withJson({ ...taken, records: complete(records) });
  viewersSnapshots.set(taken, reduced);
  return reduced;
}
