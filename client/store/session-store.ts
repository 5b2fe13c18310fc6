import { create } from 'zustand';
import type { ErrorCode } from '../../shared/errors.ts';
import { logoutAdmin, validateKey, verifyAdmin } from '../api/calls.ts';
import { endsSession, setCredentials, watchRefusals } from '../api/request.ts';
import { clearBoard } from './board-store.ts';
import { forgetProfile, type Profile, rememberProfile, savedProfiles, saveLastUsed } from './saved-profiles.ts';

export interface SessionState {
  /** `checking` until the saved keys and the admin's token were checked with the server. */
  status: 'checking' | 'ready';
  profiles: readonly Profile[];
  current: Profile | null;
  admin: { username: string; token: string } | null;
  /** Why the last session ended by itself, for the page to say; null after it was read. */
  ended: ErrorCode | null;
}

/** Who uses this browser: characters by access key, an admin by token, or nobody yet. */
export const useSession = create<SessionState>(() => ({ status: 'checking', profiles: [], current: null, admin: null, ended: null }));

// Local storage keys of the specification.
const ADMIN_TOKEN = 'adminToken';
const ADMIN_USER = 'adminUser';

/** Moves to a session; the board is forgotten when somebody else is looking, who may see less. */
function change(next: Partial<SessionState>): void {
  const before = useSession.getState();
  useSession.setState(next);
  const { current, admin } = useSession.getState();
  const credential = admin?.token ?? current?.accessKey;
  setCredentials({ access_key: current?.accessKey ?? null, admin_token: admin?.token ?? null });
  if (credential !== (before.admin?.token ?? before.current?.accessKey)) clearBoard();
}

/** Checks what is saved here: keys that are refused are dropped, the first valid profile is selected. */
export async function startSession(): Promise<void> {
  watchRefusals(({ code }, { admin_token }) => {
    if (code === 'session.expired' && admin_token && admin_token === useSession.getState().admin?.token) dropAdmin(code);
  });
  const [saved, admin] = await Promise.all([validProfiles(), validAdmin()]);
  // Somebody may have signed in while the saved ones were being checked: who is newer stays.
  const newer = useSession.getState();
  const added = new Set(newer.profiles.map((profile) => profile.characterName));
  const profiles = [...newer.profiles, ...saved.filter((profile) => !added.has(profile.characterName))];
  change({ status: 'ready', profiles, current: newer.current ?? profiles[0] ?? null, admin: newer.admin ?? admin });
}

async function validProfiles(): Promise<Profile[]> {
  const checked = await Promise.all(
    savedProfiles().map(async (profile) => {
      try {
        const { characterName, memberType } = await validateKey(profile.accessKey);
        return { ...profile, characterName, memberType };
      } catch (error) {
        // Gone, revoked or banned. A server that cannot be reached refuses nothing.
        if (!endsSession(error)) return profile;
        forgetProfile(profile);
        return null;
      }
    }),
  );
  return checked.filter((profile) => profile !== null);
}

async function validAdmin(): Promise<SessionState['admin']> {
  const token = localStorage.getItem(ADMIN_TOKEN);
  if (!token) return null;
  try {
    const { admin } = await verifyAdmin(token);
    return { username: admin, token };
  } catch (error) {
    if (!endsSession(error)) return { username: localStorage.getItem(ADMIN_USER) ?? '', token };
    if (localStorage.getItem(ADMIN_TOKEN) === token) forgetAdmin();
    return null;
  }
}

/** Adds a character, or renews it, and selects it. */
export function addProfile(profile: Profile): void {
  rememberProfile(profile);
  saveLastUsed(profile);
  const others = useSession.getState().profiles.filter((other) => other.characterName !== profile.characterName);
  change({ profiles: [profile, ...others], current: profile, ended: null });
}

/** Asks anew what the current key stands for: an admin may have changed its member type. */
export async function renewCurrent(): Promise<void> {
  const asked = useSession.getState().current;
  if (!asked) return;
  // A refusal ends the live connection by itself; a server that is away is asked again when it is back.
  const answer = await validateKey(asked.accessKey).catch(() => null);
  const { current, profiles } = useSession.getState();
  if (!answer || current?.accessKey !== asked.accessKey || current.memberType === answer.memberType) return;
  const renewed = { ...current, memberType: answer.memberType };
  rememberProfile(renewed);
  change({ current: renewed, profiles: profiles.map((profile) => (profile.accessKey === renewed.accessKey ? renewed : profile)) });
}

export function switchProfile(characterName: string): void {
  const current = useSession.getState().profiles.find((profile) => profile.characterName === characterName);
  if (!current) return;
  saveLastUsed(current);
  change({ current });
}

/** Removes the current profile and goes on with the next. */
export function logoutCurrent(ended: ErrorCode | null = null): void {
  const { current, profiles } = useSession.getState();
  if (!current) return;
  forgetProfile(current);
  const rest = profiles.filter((profile) => profile.characterName !== current.characterName);
  change({ profiles: rest, current: rest[0] ?? null, ended });
}

export function logoutAll(): void {
  for (const profile of useSession.getState().profiles) forgetProfile(profile);
  change({ profiles: [], current: null });
}

export function signInAdmin(token: string, username: string): void {
  localStorage.setItem(ADMIN_TOKEN, token);
  localStorage.setItem(ADMIN_USER, username);
  change({ admin: { username, token }, ended: null });
}

/** Ends the token on the server, too; one that the server no longer knows is gone anyway. */
export async function signOutAdmin(): Promise<void> {
  const { admin } = useSession.getState();
  dropAdmin(null);
  if (admin) await logoutAdmin(admin.token).catch(() => {});
}

/** The reason why a session ended was read. */
export function clearEnded(): void {
  useSession.setState({ ended: null });
}

/** Forgets an admin's session that does not hold any more. */
export function dropAdmin(ended: ErrorCode | null): void {
  forgetAdmin();
  change({ admin: null, ended });
}

function forgetAdmin(): void {
  localStorage.removeItem(ADMIN_TOKEN);
  localStorage.removeItem(ADMIN_USER);
}
