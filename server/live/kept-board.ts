import {
  ADMIN_KINDS,
  ADMINS_KINDS_SEEN,
  type AdminsKind,
  type BoardKind,
  KINDS_SEEN,
  type Kind,
  MEMBER_KINDS,
  perKind,
  type RecordByKind,
  type RecordLists,
  type Room,
} from '../../shared/kinds.ts';
import { type ChangeSet, isKnown, roomOf, type Snapshot } from '../../shared/live.ts';
import { type KeptLists, keptList, type ListViews } from './kinds.ts';

/** All that is seen in one room at one clock. */
export interface BoardAt {
  clock: number;
  /** The history that the clock counts. */
  epoch: string;
  /** The kinds that only admins see are left out where members are meant. */
  snapshot: Pick<RecordLists, BoardKind> & Partial<Pick<RecordLists, AdminsKind>>;
}

export interface TakenSnapshot extends BoardAt {
  /** Writes the snapshot as JSON; of each record that is done once, however many boards it stands on. */
  write: () => Promise<string>;
  /** Of an admins' board: what viewers see of it. */
  forViewers: () => TakenSnapshot;
}

const put = <K extends Kind>(lists: KeptLists, kind: K, record: RecordByKind[K]): boolean => lists[kind].put(record);

/**
 * A board in memory that follows the change sets, as watchers' boards do: a live record equals what a fresh reading
 * would hold. So a snapshot after a change costs the change, however long the history is.
 */
export class KeptBoard {
  readonly epoch: string;
  readonly #lists: KeptLists;
  readonly #room: Room;
  #clock: number;
  #taken: TakenSnapshot | null = null;

  constructor({ clock, epoch, snapshot }: BoardAt) {
    this.epoch = epoch;
    this.#clock = clock;
    this.#room = roomOf(snapshot);
    const records: Snapshot = snapshot;
    this.#lists = perKind<KeptLists>(ADMIN_KINDS, (kind) => keptList(kind, records[kind] ?? []));
  }

  get clock(): number {
    return this.#clock;
  }

  /** @returns whether the board is still the one that would be read; otherwise it is of no use any more */
  apply(set: ChangeSet): boolean {
    if (set.clock <= this.#clock) return true;
    if (set.clock !== this.#clock + 1) return false;
    for (const change of set.changes) {
      if (change.op === 'reset') return false;
      if (!isKnown(change)) continue;
      const fits = change.op === 'put' ? put(this.#lists, change.kind, change.record) : this.#lists[change.kind].remove(change.id);
      if (!fits) return false;
    }
    this.#clock = set.clock;
    this.#taken = null;
    return true;
  }

  /** The board at this clock, the same one for everybody who asks; what changes later leaves it as it is. */
  taken(): TakenSnapshot {
    this.#taken ??= this.#take();
    return this.#taken;
  }

  #take(): TakenSnapshot {
    const views = perKind<ListViews>(ADMIN_KINDS, (kind) => this.#lists[kind].view());
    return takenOf({ clock: this.#clock, epoch: this.epoch }, views, this.#room);
  }
}

function takenOf(at: Pick<BoardAt, 'clock' | 'epoch'>, views: ListViews, room: Room): TakenSnapshot {
  const forAll = perKind<Pick<RecordLists, BoardKind>>(MEMBER_KINDS, (kind) => views[kind].records);
  const forSome: { -readonly [K in AdminsKind]?: RecordLists[K] } = {};
  const show = <K extends AdminsKind>(kind: K): void => {
    forSome[kind] = views[kind].records;
  };
  for (const kind of ADMINS_KINDS_SEEN[room]) show(kind);
  let forViewers: TakenSnapshot | null = null;
  return {
    ...at,
    snapshot: { ...forAll, ...forSome },
    write: async () => {
      const written: string[] = [];
      for (const kind of KINDS_SEEN[room]) written.push(`"${kind}":${await views[kind].write()}`);
      return `{${written.join(',')}}`;
    },
    // The same one whoever asks: it is written once.
    forViewers: () => {
      forViewers ??= takenOf(at, views, 'viewers');
      return forViewers;
    },
  };
}
