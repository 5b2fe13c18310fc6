import { type ChangeSet, isKnown, type Kind, type RecordByKind, type Snapshot } from '../../shared/live.ts';
import type { RecordId } from '../../shared/record-table.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { KeptList } from './kept-list.ts';

/** All that one role sees at one clock. */
export interface BoardAt {
  clock: number;
  /** The history that the clock counts. */
  epoch: string;
  /** The kinds that only admins see are left out where members are meant. */
  snapshot: Snapshot & { claim: readonly Claim[]; respawn: readonly Respawn[] };
}

export interface TakenSnapshot extends BoardAt {
  /** Writes the snapshot as JSON; of each record that is done once, however many boards it stands on. */
  write: () => Promise<string>;
}

type Lists = { readonly [K in Kind]: KeptList<K> };

const put = <K extends Kind>(lists: Lists, kind: K, record: RecordByKind[K]): boolean => lists[kind].put(record);
const remove = (lists: Lists, kind: Kind, id: RecordId): boolean => lists[kind].remove(id);

/**
 * A board in memory that follows the change sets, as watchers' boards do: a live record equals what a fresh reading
 * would hold. So a snapshot after a change costs the change, however long the history is.
 */
export class KeptBoard {
  readonly epoch: string;
  readonly #lists: Lists;
  readonly #isOfAdmins: boolean;
  #clock: number;
  #taken: TakenSnapshot | null = null;

  constructor({ clock, epoch, snapshot }: BoardAt) {
    this.epoch = epoch;
    this.#clock = clock;
    this.#isOfAdmins = snapshot.access_key !== undefined;
    this.#lists = {
      claim: new KeptList('claim', snapshot.claim),
      respawn: new KeptList('respawn', snapshot.respawn),
      category: new KeptList('category', snapshot.category),
      member_type: new KeptList('member_type', snapshot.member_type),
      event: new KeptList('event', snapshot.event),
      config: new KeptList('config', snapshot.config),
      access_key: new KeptList('access_key', snapshot.access_key),
      verified_code: new KeptList('verified_code', snapshot.verified_code),
      activity: new KeptList('activity', snapshot.activity),
    };
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
      const fits = change.op === 'put' ? put(this.#lists, change.kind, change.record) : remove(this.#lists, change.kind, change.id);
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
    const { access_key, verified_code, activity, ...lists } = this.#lists;
    const forAll = {
      claim: lists.claim.view(),
      respawn: lists.respawn.view(),
      category: lists.category.view(),
      member_type: lists.member_type.view(),
      event: lists.event.view(),
      config: lists.config.view(),
    };
    const forAdmins = { access_key: access_key.view(), verified_code: verified_code.view(), activity: activity.view() };
    const snapshot = {
      claim: forAll.claim.records,
      respawn: forAll.respawn.records,
      category: forAll.category.records,
      member_type: forAll.member_type.records,
      event: forAll.event.records,
      config: forAll.config.records,
    };
    const admins = {
      access_key: forAdmins.access_key.records,
      verified_code: forAdmins.verified_code.records,
      activity: forAdmins.activity.records,
    };
    const views = this.#isOfAdmins ? { ...forAll, ...forAdmins } : forAll;
    return {
      clock: this.#clock,
      epoch: this.epoch,
      snapshot: this.#isOfAdmins ? { ...snapshot, ...admins } : snapshot,
      write: async () => {
        const written: string[] = [];
        for (const [kind, view] of Object.entries(views)) written.push(`"${kind}":${await view.write()}`);
        return `{${written.join(',')}}`;
      },
    };
  }
}
