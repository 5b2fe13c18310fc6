import type { Room } from '../../shared/kinds.ts';
import {
  type ChangeSet,
  readChanges,
  type SyncAnswer,
  type WholeBoard,
} from '../../shared/live.ts';
import { getWholeBoard } from '../api/calls.ts';
import { reportError } from '../api/report-error.ts';
import { noteServerBuild } from '../lib/loading/new-build.ts';
import { confirmBoard } from '../state/board-freshness.ts';
import { advanceClock, applyChanges, applySnapshot, useBoard } from '../state/board-store.ts';
import { readBoard } from './read-board.ts';

export interface SyncOptions {
  /** Asks the live connection for changes since a clock, or for everything (null). Resolves to null if it doesn't answer. */
  ask: (clock: number | null) => Promise<SyncAnswer | null>;
  /** The board equals the server's, and changes arrive live. */
  onSynced: () => void;
  /** The connection's answers don't fit: reconnect after a pause. */
  onLost: () => void;
}

export interface BoardSync {
  /** Requests what is missing: on connect, on a gap, and on `reset`. */
  sync: () => Promise<void>;
  isAsking: () => boolean;
  /** Applies a `changes` message; one of an unknown shape has it sync again. */
  receive: (message: unknown) => void;
  /**
   * Reads the board by calls, while there is no connection.
   * @throws LoadError; a refusal that ends the session as it is
   */
  readByCalls: (room: Room, isStopped: () => boolean) => Promise<void>;
  /** The connection is gone: ignore the pending answer. */
  forget: () => void;
  stop: () => void;
}

/** After a `reset`, browsers reload the board within this time, so that a whole guild does not ask for it in the same moment. */
export const RESET_SPREAD_MS = 2_000;

/** Replaces an unreadable message: its clock leaves a gap after any board, so the board syncs again. */
const UNREADABLE: ChangeSet = { clock: Number.POSITIVE_INFINITY, changes: [] };

/** Brings the board store up to date: by snapshot, by change sets, or by REST calls. */
export function createSync({ ask, onSynced, onLost }: SyncOptions): BoardSync {
  /** Change sets that arrive while the answer to `sync` is under way; null when none is. */
  let waiting: ChangeSet[] | null = null;
  let etag: string | null = null;
  let stopped = false;
  /** The next sync requests a snapshot: the current board belongs to another caller, was read in parts over REST, or has another epoch. */
  let wantsAll = true;
  /** The board is this caller's: its clock can be compared. */
  let isOwnBoard = false;
  /** The last answer made no board: it was of another history, or its change sets did not fit. */
  let failedOnce = false;

  const hasBoard = (): boolean => useBoard.getState().status === 'ready' && !wantsAll;

  /** If a change set can't be applied, request a snapshot instead of showing an old board as live. */
  const fits = (set: ChangeSet): boolean => {
    try {
      return applyChanges(set);
    } catch (error) {
      reportError(error);
      wantsAll = true;
      return false;
    }
  };

  /** Whether a read of a lost connection ends after the board was brought up to date by the next one. */
  const isLate = ({ epoch, clock }: WholeBoard): boolean => {
    const board = useBoard.getState();
    return board.epoch === epoch ? isOwnBoard && clock < board.clock : hasBoard();
  };

  /** Reads the whole board by a call of its own, which compresses it to a thirtieth; the live connection does not. */
  const readWhole = async (): Promise<void> => {
    try {
      const board = await getWholeBoard();
      if (stopped || isLate(board)) return;
      isOwnBoard = true;
      applySnapshot(board.clock, board.snapshot, board.epoch);
      confirmBoard();
      wantsAll = false;
    } catch (error) {
      reportError(error);
    }
  };
  /** Started while connecting: the board may be ready before the first change. */
  let reading: Promise<void> | null = readWhole();

  /** Set while a reload after a `reset` waits for its turn. */
  let reload: ReturnType<typeof setTimeout> | undefined;
  const cancelReload = (): void => {
    clearTimeout(reload);
    reload = undefined;
  };

  const sync = (): Promise<void> => {
    cancelReload();
    return synchronise().catch((error) => {
      reportError(error);
      // The board on the screen may be old, and must not be called live.
      if (!stopped) onLost();
    });
  };
  const synchronise = async (): Promise<void> => {
    const mine: ChangeSet[] = [];
    waiting = mine;
    /** After a reconnect a new question replaces this one. */
    const isOver = (): boolean => stopped || waiting !== mine;
    await reading;
    reading = null;
    if (!isOver() && !hasBoard()) await readWhole();
    if (isOver()) return;
    const { clock, epoch } = useBoard.getState();
    const answer = await ask(hasBoard() ? clock : null);
    if (isOver()) return;
    if (!answer) return onLost();
    noteServerBuild(answer.build);
    if ('snapshot' in answer) {
      isOwnBoard = true;
      applySnapshot(answer.clock, answer.snapshot, answer.epoch);
    } else if (answer.epoch !== epoch) {
      wantsAll = true;
      return syncAgain();
      // The fallback replaced the board while the question was pending.
    } else if (!hasBoard()) return syncAgain();
    else if (answer.change_sets.length === 0) advanceClock(answer.clock);
    const sets: readonly ChangeSet[] = [
      ...('change_sets' in answer ? answer.change_sets : []),
      ...mine,
    ];
    waiting = null;
    if (!sets.every(fits)) return syncAgain();
    wantsAll = false;
    failedOnce = false;
    onSynced();
  };

  /** Once more at once. Twice in a row something is wrong that takes a while to end, such as calls that lead to another history. */
  const syncAgain = async (): Promise<void> => {
    if (failedOnce) return onLost();
    failedOnce = true;
    return sync();
  };

  return {
    sync,
    isAsking: () => waiting !== null,
    receive: (message) => {
      const sets = readChanges(message) ?? [UNREADABLE];
      if (waiting) waiting.push(...sets);
      // The answer contains these change sets, too; so does the one after a waiting reload.
      else if (reload === undefined && !sets.every(fits)) {
        const isReset = sets.some(({ changes }) => changes.some(({ op }) => op === 'reset'));
        wantsAll ||= isReset;
        if (isReset) reload = setTimeout(() => void sync(), Math.random() * RESET_SPREAD_MS);
        else void sync();
      }
    },
    readByCalls: async (room, isStopped) => {
      const read = await readBoard(etag, room, isStopped);
      // A board read by REST calls is incomplete; an unchanged one is kept.
      wantsAll ||= read !== etag;
      isOwnBoard ||= read !== etag;
      etag = read;
    },
    forget: () => {
      cancelReload();
      waiting = null;
    },
    stop: () => {
      cancelReload();
      stopped = true;
    },
  };
}
