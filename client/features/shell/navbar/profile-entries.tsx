import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMaySeeBoard } from '../../../live/use-live-board.ts';
import { openOverlay } from '../../../state/overlays.ts';
import type { Profile } from '../../../state/saved-profiles.ts';
import { logoutAll, logoutCurrent, signOutAdmin, switchProfile, useSession } from '../../../state/session-store.ts';
import { Badge } from '../../../ui/badge.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { MenuChoices, MenuItem, MenuLabel, MenuLink, MenuList, MenuSeparator } from '../../../ui/menu-list.tsx';
import { CopyKey } from './copy-key.tsx';
import styles from './navbar.module.css';

/** What the profile menu holds, on a phone within the one menu there is. */
export function ProfileEntries(): ReactNode {
  const { t } = useTranslation();
  const { current, profiles, admin } = useSession();
  const maySee = useMaySeeBoard();
  return (
    <>
      {current ? <CurrentProfile profile={current} /> : null}
      {admin ? (
        <p className={styles.head}>
          {admin.username} <Badge tone="accent">{t('shell.profile.admin')}</Badge>
        </p>
      ) : null}
      {current && profiles.length > 1 ? <SwitchProfile current={current} profiles={profiles} /> : null}
      {current || admin ? <MenuSeparator /> : null}
      {current ? <MenuLink to="/mine">{t('mine.title')}</MenuLink> : null}
      {current ? <MenuLink to="/notifications">{t('shell.profile.notifications')}</MenuLink> : null}
      {current ? <MenuItem onSelect={() => openOverlay('calendar', {})}>{t('calendar.entry')}</MenuItem> : null}
      {maySee ? <MenuLink to="/statistics">{t('statistics.title')}</MenuLink> : null}
      <MenuLink to="/verify">{current ? t('shell.profile.addCharacter') : t('shell.profile.verify')}</MenuLink>
      {current && admin ? null : <MenuLink to="/login">{t('shell.profile.login')}</MenuLink>}
      {current || admin ? <MenuSeparator /> : null}
      {admin ? <MenuItem onSelect={leaveAdmin}>{t('shell.profile.adminLogout')}</MenuItem> : null}
      {current ? (
        <MenuItem onSelect={() => logoutCurrent()}>
          {profiles.length > 1 ? t('shell.profile.logoutName', { name: current.characterName }) : t('shell.profile.logout')}
        </MenuItem>
      ) : null}
      {profiles.length > 1 ? (
        <MenuItem danger onSelect={logoutAll}>
          {t('shell.profile.logoutAll')}
        </MenuItem>
      ) : null}
    </>
  );
}

export const ProfileList = (): ReactNode => (
  <MenuList>
    <ProfileEntries />
  </MenuList>
);

/** The page is loaded anew, so that nothing an admin saw stays in memory. */
function leaveAdmin(): void {
  void signOutAdmin().finally(() => location.reload());
}

function CurrentProfile({ profile }: { profile: Profile }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.head}>
        {profile.characterName} <MemberTypeBadge memberType={profile.memberType} />
      </p>
      <MenuLabel>{t('shell.profile.accessKey')}</MenuLabel>
      <CopyKey accessKey={profile.accessKey} />
    </>
  );
}

function SwitchProfile({ current, profiles }: { current: Profile; profiles: readonly Profile[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <MenuSeparator />
      <MenuLabel>{t('shell.profile.switchProfile')}</MenuLabel>
      <MenuChoices
        label={t('shell.profile.switchProfile')}
        value={current.characterName}
        options={profiles.map((profile) => ({ value: profile.characterName, label: profile.characterName }))}
        onChange={switchProfile}
      />
    </>
  );
}
