import { create } from 'zustand';
import type { ErrorCode } from '../../shared/errors.ts';
import { liveRoomOf, ROOMS, type Room } from '../../shared/kinds.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { type AdminRole, isAdminRole } from '../../shared/rules/roles.ts';
import { endsSession, setCredentials, watchRefusals } from '../api/request.ts';
import { logoutAdmin, validateKey, verifyAdmin } from '../api/session-calls.ts';
import { onOtherTabs } from '../lib/page-events.ts';
import { localStore } from '../lib/storage.ts';
import { clearBoard, narrowTo } from './board-store.ts';
import {
  dropUnreadableProfiles,
  type EndedSession,
  forgetProfile,
  type Profile,
  rememberProfile,
  renewSavedProfiles,
  savedProfiles,
  saveLastUsed,
  sharedSessions,
  shareSignIn,
  shareSignOut,
} from './saved-sessions.ts';

export interface SignedInAdmin {
  username: string;
  token: string;
  role: AdminRole;
}

export interface SessionState {
  /** `checking` until the saved keys and the admin's token were checked with the server. */
  status: 'checking' | 'ready';
  profiles: readonly Profile[];
  current: Profile | null;
  admin: SignedInAdmin | null;
  /** Sessions that ended without a sign-out, to be shown; empty once read. */
  ended: readonly EndedSession[];
}

export const useSession = create<SessionState>(() => ({
  status: 'checking',
  profiles: [],
  current: null,
  admin: null,
  ended: [],
}));

// Local storage keys of the specification.
const ADMIN_TOKEN = 'adminToken';
const ADMIN_USER = 'adminUser';
// Stored as well, so that a page that starts offline knows the permissions.
const ADMIN_ROLE = 'adminRole';

export const roomOf = (admin: SignedInAdmin | null): Room => liveRoomOf(admin?.role ?? null);
const roomRank = (admin: SignedInAdmin | null): number => ROOMS.indexOf(roomOf(admin));

/** Switches the session. The board keeps what the new caller may see, since a form may be open; it is then read again. */
function change(next: Partial<SessionState>): void {
  const before = useSession.getState();
  useSession.setState(next);
  const { current, admin } = useSession.getState();
  setCredentials({ access_key: current?.accessKey ?? null, admin_token: admin?.token ?? null });
  if (!admin && !current && (before.admin || before.current)) clearBoard();
  else if (roomRank(admin) < roomRank(before.admin)) narrowTo(roomOf(admin));
}

/** Whether the browser has credentials, which may have ended. */
export const hasSavedSession = (): boolean => savedProfiles().length > 0 || savedAdmin() !== null;

/** Checks saved credentials: refused keys are dropped, and the first valid profile is selected. */
export async function startSession(): Promise<void> {
  dropUnreadableProfiles();
  renewSavedProfiles();
  watchRefusals(({ code }, { admin_token }) => {
    if (!admin_token || admin_token !== useSession.getState().admin?.token) return;
    if (code === 'session.expired') dropAdmin(code);
    else if (code === 'session.notAllowed') void renewAdmin();
  });
  const [saved, admin] = await Promise.all([checkProfiles(), checkAdmin()]);
  // A sign-in or sign-out during the check wins, here or in another tab.
  const newer = useSession.getState();
  const newNames = new Set(newer.profiles.map((profile) => profile.characterName));
  const kept = new Set(savedProfiles().map((profile) => profile.accessKey));
  const profiles = [
    ...newer.profiles,
    ...saved.valid.filter(
      ({ characterName, accessKey }) => !newNames.has(characterName) && kept.has(accessKey),
    ),
  ];
  const nowAdmin = savedAdmin();
  shareSignIn(namesOf(profiles), []);
  change({
    status: 'ready',
    profiles,
    current: newer.current ?? profiles[0] ?? null,
    admin: newer.admin ?? (nowAdmin?.token === admin.valid?.token ? admin.valid : nowAdmin),
    ended: endedWith(newer.ended, [...saved.ended, ...admin.ended]),
  });
}

interface Checked<T> {
  valid: T;
  /** Refused ones: deleted, revoked, banned or expired. */
  ended: EndedSession[];
}

const namesOf = (profiles: readonly Profile[]): string[] =>
  profiles.map(({ characterName }) => characterName);

async function checkProfiles(): Promise<Checked<Profile[]>> {
  const ended: EndedSession[] = [];
  const checked = await Promise.all(
    savedProfiles().map(async (profile) => {
      try {
        const { characterName, memberType } = await validateKey(profile.accessKey);
        return { ...profile, characterName, memberType };
      } catch (error) {
        // An unreachable server is no refusal.
        if (!endsSession(error)) return profile;
        const { code, responseText } = error;
        ended.push({
          who: profile.characterName,
          code,
          ...(responseText && { text: responseText }),
        });
        forget(profile, error.code);
        return null;
      }
    }),
  );
  return { valid: checked.filter((profile) => profile !== null), ended };
}

async function checkAdmin(): Promise<Checked<SessionState['admin']>> {
  const token = localStore.getItem(ADMIN_TOKEN);
  if (!token) return { valid: null, ended: [] };
  try {
    const { admin, role } = await verifyAdmin(token);
    // The role may have changed.
    if (localStore.getItem(ADMIN_TOKEN) === token) localStore.setItem(ADMIN_ROLE, role);
    return { valid: { username: admin, token, role }, ended: [] };
  } catch (error) {
    if (!endsSession(error)) return { valid: savedAdmin(), ended: [] };
    // Another tab may have signed in meanwhile.
    if (localStore.getItem(ADMIN_TOKEN) === token) forgetAdmin(error.code);
    return { valid: null, ended: [{ who: null, code: error.code }] };
  }
}

/**
 * Follows sign-ins and sign-outs of other tabs, and their reasons. The selected profile is per tab.
 * @returns a function that stops following
 */
export function followOtherTabs(): () => void {
  return onOtherTabs(() => {
    const { status, profiles, current, admin, ended } = useSession.getState();
    // `startSession` will read the latest data anyway.
    if (status === 'checking') return;
    const shared = sharedSessions();
    const isHere = ({ characterName }: Profile): boolean =>
      shared.here?.includes(characterName) ?? true;
    const keys = new Set(profiles.map((profile) => profile.accessKey));
    const come = savedProfiles().filter(
      (profile) => !keys.has(profile.accessKey) && isHere(profile),
    );
    const renewed = new Set(namesOf(come));
    const stay = profiles.filter(
      (profile) => isHere(profile) && !renewed.has(profile.characterName),
    );
    const nextAdmin = savedAdmin();
    const adminChanged = nextAdmin?.token !== admin?.token;
    if (come.length === 0 && stay.length === profiles.length && !adminChanged) return;
    const gone = new Set([
      ...namesOf(profiles.filter((profile) => !isHere(profile))),
      ...(admin && !nextAdmin ? [null] : []),
    ]);
    const next = [...come, ...stay];
    change({
      profiles: next,
      current:
        next.find((profile) => profile.characterName === current?.characterName) ?? next[0] ?? null,
      admin: adminChanged ? nextAdmin : admin,
      ended: endedWith(
        ended,
        shared.ended.filter(({ who }) => gone.has(who)),
      ),
    });
  });
}

/** Adds a character, or renews it, and selects it. */
export function addProfile(profile: Profile): void {
  rememberProfile(profile);
  saveLastUsed(profile);
  const others = useSession
    .getState()
    .profiles.filter((other) => other.characterName !== profile.characterName);
  shareSignIn([profile.characterName], namesOf(others));
  change({ profiles: [profile, ...others], current: profile, ended: [] });
}

/** Reads the admin's role again: an owner may have changed it. */
export async function renewAdmin(): Promise<void> {
  const before = useSession.getState().admin;
  if (!before) return;
  // Ignore failures: a refusal also ends the live connection, which signs the admin out.
  const answer = await verifyAdmin(before.token).catch(() => null);
  const { admin } = useSession.getState();
  if (!answer || admin?.token !== before.token || admin.role === answer.role) return;
  localStore.setItem(ADMIN_ROLE, answer.role);
  change({ admin: { ...admin, role: answer.role } });
}

/** Reads the current key's name and member type again: the server may have changed them. */
export async function renewCurrent(): Promise<void> {
  // Also here, since a page may stay open for weeks.
  renewSavedProfiles();
  const before = useSession.getState().current;
  if (!before) return;
  // Ignore failures: a refusal also ends the live connection, and a reconnection asks again.
  const answer = await validateKey(before.accessKey).catch(() => null);
  const { current, profiles } = useSession.getState();
  if (
    !answer ||
    current?.accessKey !== before.accessKey ||
    (current.memberType === answer.memberType && current.characterName === answer.characterName)
  )
    return;
  const { characterName, memberType } = answer;
  const renewed = { ...current, characterName, memberType };
  if (current.characterName !== characterName) {
    forgetProfile(current);
    shareSignIn([characterName], namesOf(profiles));
    saveLastUsed(renewed);
  }
  rememberProfile(renewed);
  change({
    current: renewed,
    profiles: profiles.map((profile) =>
      profile.accessKey === renewed.accessKey ? renewed : profile,
    ),
  });
}

export function switchProfile(characterName: string): void {
  const current = useSession
    .getState()
    .profiles.find((profile) => profile.characterName === characterName);
  if (!current) return;
  saveLastUsed(current);
  change({ current });
  // In the background it may have got another name or type.
  void renewCurrent();
}

/**
 * Signs out the current profile and selects the next.
 * @param code why the session ended; null if the user signed out
 */
export function logoutCurrent(code: ErrorCode | null = null): void {
  const { current, profiles, ended } = useSession.getState();
  if (!current) return;
  forget(current, code);
  const rest = profiles.filter((profile) => profile.characterName !== current.characterName);
  const stillEnded = code ? endedWith(ended, [{ who: current.characterName, code }]) : [];
  change({ profiles: rest, current: rest[0] ?? null, ended: stillEnded });
}

export function logoutAll(): void {
  for (const profile of useSession.getState().profiles) forget(profile, null);
  change({ profiles: [], current: null, ended: [] });
}

export function signInAdmin(token: string, username: string, role: AdminRole): void {
  // The token last: its change makes other tabs read all three.
  localStore.setItem(ADMIN_USER, username);
  localStore.setItem(ADMIN_ROLE, role);
  localStore.setItem(ADMIN_TOKEN, token);
  const { profiles } = useSession.getState();
  shareSignIn([null], namesOf(profiles));
  change({ admin: { username, token, role }, ended: [] });
}

/** Ends the token on the server, too. */
export async function signOutAdmin(): Promise<void> {
  const { admin } = useSession.getState();
  dropAdmin(null);
  if (admin) await logoutAdmin(admin.token).catch(() => {});
}

export function clearEnded(read: readonly EndedSession[]): void {
  useSession.setState(({ ended }) => ({ ended: ended.filter((one) => !read.includes(one)) }));
}

/**
 * Drops an admin session that is no longer valid.
 * @param code why the session ended; null if the user signed out
 */
export function dropAdmin(code: ErrorCode | null): void {
  forgetAdmin(code);
  change({
    admin: null,
    ended: code ? endedWith(useSession.getState().ended, [{ who: null, code }]) : [],
  });
}

/**
 * Removes the cookie before telling other tabs. A late refusal from a sleeping tab ends nothing if the character has a newer key; a
 * sign-out removes every key.
 */
function forget(profile: Profile, code: ErrorCode | null): void {
  const { characterName } = profile;
  forgetProfile(profile);
  const others = savedProfiles().filter(
    (saved) => nameKey(saved.characterName) === nameKey(characterName),
  );
  if (code && others.length > 0) return;
  for (const other of others) forgetProfile(other);
  shareSignOut(characterName, code);
}

/** Keeps the latest reason per character (null: the admin). */
const endedWith = (
  ended: readonly EndedSession[],
  more: readonly EndedSession[],
): EndedSession[] => [...ended.filter(({ who }) => !more.some((one) => one.who === who)), ...more];

function savedAdmin(): SessionState['admin'] {
  const token = localStore.getItem(ADMIN_TOKEN);
  const role = localStore.getItem(ADMIN_ROLE);
  // Without a known role, the one with the fewest permissions.
  return token
    ? {
        username: localStore.getItem(ADMIN_USER) ?? '',
        token,
        role: isAdminRole(role) ? role : 'viewer',
      }
    : null;
}

/** The token last: its removal makes other tabs read the reason. */
function forgetAdmin(code: ErrorCode | null): void {
  shareSignOut(null, code);
  localStore.removeItem(ADMIN_USER);
  localStore.removeItem(ADMIN_ROLE);
  localStore.removeItem(ADMIN_TOKEN);
}
