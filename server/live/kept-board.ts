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
  /** The clock of the last change that is seen in this room. Snapshots of the same one share their `snapshot`. */
  changed_at: number;
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
  #changedAt: number;
  #taken: TakenSnapshot | null = null;

  constructor({ clock, epoch, snapshot }: BoardAt) {
    this.epoch = epoch;
    this.#clock = clock;
    this.#changedAt = clock;
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
    if (set.changes.length > 0) this.#changedAt = set.clock;
    // Nothing that members see has changed: what was made of their board stays good.
    const isSame = set.changes.length === 0 && this.#room === 'members';
    this.#taken = isSame && this.#taken ? { ...this.#taken, clock: set.clock } : null;
    return true;
  }

  /** The clock of the last change that is seen in this room; without one, the clock that the board was read at. */
  get changed_at(): number {
    return this.#changedAt;
  }

  /** The board at this clock, the same one for everybody who asks; what changes later leaves it as it is. */
  taken(): TakenSnapshot {
    this.#taken ??= this.#take();
    return this.#taken;
  }

  #take(): TakenSnapshot {
    const views = perKind<ListViews>(ADMIN_KINDS, (kind) => this.#lists[kind].view());
    return takenOf({ clock: this.#clock, changed_at: this.#changedAt, epoch: this.epoch }, views, this.#room);
  }
}

function takenOf(at: Pick<TakenSnapshot, 'clock' | 'changed_at' | 'epoch'>, views: ListViews, room: Room): TakenSnapshot {
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
