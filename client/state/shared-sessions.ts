import type { ErrorCode } from '../../shared/errors.ts';
import { isSessionCode } from '../api/request.ts';
import { localStore } from '../lib/storage.ts';

/** A session that ended by itself: whose it was (null: the admin's), and why. */
export interface EndedSession {
  who: string | null;
  code: ErrorCode;
}

/**
 * What the tabs of this browser know together. Cookies alone would not do: they tell other tabs nothing, and one that has run
 * out is no logout.
 */
export interface SharedSessions {
  /** The characters that are signed in; null while no tab has said so. */
  here: readonly string[] | null;
  /** Why sessions ended that nobody signed out of. */
  ended: readonly EndedSession[];
}

const SESSIONS = 'sessions';
/** Nobody reads about more. */
const MOST_ENDED = 20;

export function sharedSessions(): SharedSessions {
  try {
    const { here, ended }: { here?: unknown; ended?: unknown } = JSON.parse(localStore.getItem(SESSIONS) ?? '{}');
    return {
      here: Array.isArray(here) ? here.filter((name) => typeof name === 'string') : null,
      ended: Array.isArray(ended) ? ended.filter(isEnded) : [],
    };
  } catch {
    return { here: null, ended: [] };
  }
}

function isEnded(value: Partial<EndedSession> | null): value is EndedSession {
  return isSessionCode(value?.code) && (value?.who === null || typeof value?.who === 'string');
}

/**
 * Tells the other tabs who has come (null: the admin); why an earlier session of theirs ended is of no interest any more.
 * @param everybody who is signed in in this tab, where no tab has said so yet
 */
export function shareCome(come: readonly (string | null)[], everybody: readonly string[]): void {
  if (come.length === 0) return;
  const { here, ended } = sharedSessions();
  const names = come.filter((who) => who !== null);
  store({ here: [...new Set([...(here ?? everybody), ...names])], ended: ended.filter(({ who }) => !come.includes(who)) });
}

/** Tells the other tabs who has gone (null: the admin), and why, where nobody signed out. */
export function shareGone(who: string | null, code: ErrorCode | null): void {
  const { here, ended } = sharedSessions();
  const others = ended.filter((one) => one.who !== who);
  const left = here?.filter((name) => name !== who) ?? null;
  store({ here: left, ended: code ? [...others, { who, code }].slice(-MOST_ENDED) : others });
}

function store(sessions: SharedSessions): void {
  localStore.setItem(SESSIONS, JSON.stringify(sessions));
}
