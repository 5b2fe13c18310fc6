import { create } from 'zustand';
import { CONFIG_ID } from '../../shared/kinds.ts';
import { type Capability, may } from '../../shared/rules/roles.ts';
import { useBoard } from './board-store.ts';
import { useSession } from './session-store.ts';

/** Whether the signed-in admin's role allows it; the server checks the same table. */
export const useMay = (capability: Capability): boolean =>
  useSession(({ admin }) => admin !== null && may(admin.role, capability));

type Session = ReturnType<typeof useSession.getState>;

/** An admin without a character here claims for others, and may enter past hours. */
export const mayClaimForOthers = ({
  admin,
  current,
}: Pick<Session, 'admin' | 'current'>): boolean =>
  admin !== null && may(admin.role, 'claims') && !current;
export const useClaimsForOthers = (): boolean => useSession(mayClaimForOthers);

export function useClaimPage(): '/input' | '/admin/input' {
  return useClaimsForOthers() ? '/admin/input' : '/input';
}

export const useMembersClosed = (): boolean =>
  useBoard((board) => board.byKind.config.get(CONFIG_ID)?.submission_enabled === 0);

/** After a restore: nothing is sent until an owner resumes notifications. */
export const useNotificationsPaused = (): boolean =>
  useBoard((board) => board.byKind.config.get(CONFIG_ID)?.notifications_paused === 1);

/** From /config: signed-out visitors have no board. */
const useGuild = create(() => ({ isDemo: false, hasDiscordSignIn: false }));
export const setIsDemo = (isDemo: boolean): void => useGuild.setState({ isDemo });

/** Whether the guild is an invented one, to look around in. */
export const useIsDemo = (): boolean => useGuild(({ isDemo }) => isDemo);

export const setHasDiscordSignIn = (hasDiscordSignIn: boolean): void =>
  useGuild.setState({ hasDiscordSignIn });

export const useHasDiscordSignIn = (): boolean =>
  useGuild(({ hasDiscordSignIn }) => hasDiscordSignIn);

export const useHasDiscordApp = (): boolean =>
  useBoard((board) => board.byKind.config.get(CONFIG_ID)?.has_discord_app === 1);

/** True if signed in, or if the board is public and loaded. */
export function useMaySeeBoard(): boolean {
  const signedIn = useSession((session) => session.admin !== null || session.current !== null);
  const here = useBoard((board) => board.status === 'ready');
  return signedIn || here;
}
