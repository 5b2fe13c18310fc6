import type { Room } from '../../shared/kinds.ts';
import { type ChangeSet, readChanges, type SyncAnswer } from '../../shared/live.ts';
import { getWholeBoard } from '../api/calls.ts';
import { reportError } from '../api/report-error.ts';
import { noteServerBuild } from '../lib/loading/new-build.ts';
import { markBoardFresh } from '../state/board-age.ts';
import { advanceClock, applyChanges, applySnapshot, useBoard } from '../state/board-store.ts';
import { readBoard } from './read-board.ts';

export interface SyncOptions {
  /** Asks the live connection what came since a clock; with null, for all. Null where it does not answer. */
  ask: (clock: number | null) => Promise<SyncAnswer | null>;
  /** The board is as the server has it, and changes follow by themselves. */
  onSynced: () => void;
  /** What the connection says makes no board: it has to be made anew, after a pause. */
  onLost: () => void;
}

export interface BoardSync {
  /** Asks for what the board lacks: on connecting, when a change set is missing, and when one asks for a snapshot. */
  sync: () => Promise<void>;
  isAsking: () => boolean;
  /** Applies a `changes` message; one of an unknown shape has it sync again. */
  hear: (message: unknown) => void;
  /**
   * Reads the board by calls, while there is no connection.
   * @throws LoadError; a refusal that ends the session as it is
   */
  readByCalls: (room: Room, isStopped: () => boolean) => Promise<void>;
  /** The connection is gone: what it was asked is nobody's business any more. */
  forget: () => void;
  stop: () => void;
}

/** After a `reset`, browsers reload the board within this time, so that a whole guild does not ask for it in the same moment. */
export const RESET_SPREAD_MS = 2_000;

/** Stands for a message of an unknown shape: it comes after any board with a gap, so that the board syncs again. */
const UNREADABLE: ChangeSet = { clock: Number.POSITIVE_INFINITY, changes: [] };

/** What the board store lacks of the server's board, and how it gets there: whole, by change sets, or by calls. */
export function createSync({ ask, onSynced, onLost }: SyncOptions): BoardSync {
  /** Change sets that arrive while the answer to `sync` is under way; null when none is. */
  let waiting: ChangeSet[] | null = null;
  let etag: string | null = null;
  let stopped = false;
  /**
   * The next sync asks for the whole board: the one that is here is what somebody else saw, or it was read in parts over
   * REST, which may have left something out, or its clock counts another database's history.
   */
  let wantsAll = true;
  /** The last answer made no board: it was of another history, or its change sets did not fit. */
  let failedOnce = false;

  const hasBoard = (): boolean => useBoard.getState().status === 'ready' && !wantsAll;

  /** One that cannot be understood must not leave the board as it is, and live: it is read anew. */
  const fits = (set: ChangeSet): boolean => {
    try {
      return applyChanges(set);
    } catch (error) {
      reportError(error);
      wantsAll = true;
      return false;
    }
  };

  /** Reads the whole board by a call of its own, which compresses it to a thirtieth; the live connection does not. */
  const readWhole = async (): Promise<void> => {
    try {
      const board = await getWholeBoard();
      if (stopped) return;
      applySnapshot(board.clock, board.snapshot, board.epoch);
      markBoardFresh();
      wantsAll = false;
    } catch (error) {
      reportError(error);
    }
  };
  /** Already under way while the connection is being made: the board may stand before the first change can come. */
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
    /** A connection that was lost and is back asks anew; what came of the older question is nobody's business. */
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
      applySnapshot(answer.clock, answer.snapshot, answer.epoch);
    } else if (answer.epoch !== epoch) {
      wantsAll = true;
      return syncAgain();
      // While the question was under way the fallback has put its board in the place of the one that was asked for.
    } else if (!hasBoard()) return syncAgain();
    else if (answer.change_sets.length === 0) advanceClock(answer.clock);
    const sets: readonly ChangeSet[] = [...('change_sets' in answer ? answer.change_sets : []), ...mine];
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
    hear: (message) => {
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
      // A board that was read so lacks what the calls leave out; where it is unchanged, the one that is held stays.
      wantsAll ||= read !== etag;
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
