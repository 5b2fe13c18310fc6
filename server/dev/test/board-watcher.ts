import { io, type Socket } from 'socket.io-client';
import { type Kind, type RecordByKind, recordId } from '../../../shared/kinds.ts';
import {
  applyChangeSet,
  type Board,
  boardFromSnapshot,
  type ChangeSet,
  type ClientEvents,
  changeSetsIn,
  emptyBoard,
  type HandshakeAuth,
  type ServerEvents,
} from '../../../shared/live.ts';

export type LiveSocket = Socket<ServerEvents, ClientEvents>;

/** A live connection without a board; the test closes it. */
export function dial(url: string, auth: HandshakeAuth): LiveSocket {
  return io(url, { transports: ['websocket'], auth, forceNew: true, reconnection: false });
}

/** Resolves when connected. @throws the handshake's refusal, or that the connection was lost meanwhile */
export function connected(socket: LiveSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
    socket.once('disconnect', (reason) => reject(new Error(reason)));
  });
}

/** Someone who watches: the protocol of the client, by the book, with a board one can look at. */
export class BoardWatcher {
  board: Board = emptyBoard();
  epoch = '';
  /** Snapshots it was sent, to tell catching up from starting over. */
  snapshots = 0;
  readonly #url: string;
  readonly #auth: HandshakeAuth;
  readonly #open: typeof dial;
  #socket: LiveSocket | null = null;
  #waiting: ChangeSet[] | null = null;
  #wishes: { clock: number; resolve: () => void }[] = [];

  constructor(url: string, auth: HandshakeAuth, open = dial) {
    this.#url = url;
    this.#auth = auth;
    this.#open = open;
  }

  async connect(): Promise<void> {
    const socket = this.#open(this.#url, this.#auth);
    this.#socket = socket;
    socket.on('changes', (message) => {
      for (const set of changeSetsIn(message)) this.#receive(set);
    });
    await connected(socket);
    await this.#sync(socket);
  }

  disconnect(): void {
    this.#socket?.disconnect();
    this.#socket = null;
    this.#waiting = null;
  }

  get isConnected(): boolean {
    return this.#socket?.connected === true;
  }

  /** Resolves when the connection has ended, or when there is none. */
  lost(): Promise<void> {
    const socket = this.#socket;
    if (!socket?.connected) return Promise.resolve();
    return new Promise((resolve) => socket.once('disconnect', () => resolve()));
  }

  /** Resolves when the board has reached a clock. */
  reached(clock: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wishes.push({ clock, resolve });
      this.#settle();
    });
  }

  /** The records of one kind by id, to compare boards by. */
  records<K extends Kind>(kind: K): Map<string, RecordByKind[K]> {
    const sorted = [...this.board.byKind[kind].values()].map(
      (record) => [String(recordId(kind, record)), record] as const,
    );
    return new Map(sorted.sort(([a], [b]) => a.localeCompare(b)));
  }

  /** After a change set that leaves a gap, the rest wait for the answer. */
  #receive(set: ChangeSet): void {
    if (this.#waiting) this.#waiting.push(set);
    else this.#apply(set);
  }

  #apply(set: ChangeSet): void {
    const next = applyChangeSet(this.board, set);
    if (next === 'stale') return;
    if (next === 'gap') {
      if (this.#socket) void this.#sync(this.#socket);
      return;
    }
    this.board = next;
    this.#settle();
  }

  async #sync(socket: LiveSocket, all = this.board.clock === 0): Promise<void> {
    const mine: ChangeSet[] = [];
    this.#waiting = mine;
    // A connection that ends meanwhile leaves its question unanswered; the next one asks again.
    const answer = await socket
      .emitWithAck('sync', all ? null : this.board.clock)
      .catch(() => null);
    // A newer question replaces this one, as in the client: its answer may be older than the board by now.
    if (!answer || this.#waiting !== mine) return;
    if (!('snapshot' in answer) && answer.epoch !== this.epoch) return this.#sync(socket, true);
    this.epoch = answer.epoch;
    if ('snapshot' in answer) {
      this.snapshots += 1;
      this.board = boardFromSnapshot(answer.clock, answer.snapshot);
    }
    // No change set: nothing that this watcher sees has changed up to the answer's clock.
    else if (answer.change_sets.length === 0)
      this.board = { ...this.board, clock: Math.max(this.board.clock, answer.clock) };
    const sets = [...('change_sets' in answer ? answer.change_sets : []), ...mine];
    this.#waiting = null;
    for (const set of sets) this.#receive(set);
    this.#settle();
  }

  #settle(): void {
    for (const wish of this.#wishes) if (this.board.clock >= wish.clock) wish.resolve();
    this.#wishes = this.#wishes.filter((wish) => this.board.clock < wish.clock);
  }
}
