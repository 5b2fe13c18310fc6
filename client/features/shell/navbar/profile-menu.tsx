import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { useSession } from '../../../state/session-store.ts';
import { Badge } from '../../../ui/badge.tsx';
import { classes } from '../../../ui/classes.ts';
import { ChevronDownIcon, UserIcon } from '../../../ui/icons.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { Menu } from '../../../ui/menu.tsx';
import styles from './navbar.module.css';

const ProfileList = lazyPart(async () => (await import('./profile-entries.tsx')).ProfileList);

export function ProfileMenu(): ReactNode {
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className={classes(styles.trigger, styles.profile)}>
          <WhoIsHere />
          <ChevronDownIcon size={14} />
        </button>
      }
    >
      <ProfileList />
    </Menu>
  );
}

/** The character; without one the admin; without either the way in. */
function WhoIsHere(): ReactNode {
  const { t } = useTranslation();
  const { current, admin } = useSession();
  if (current) {
    return (
      <>
        <span className={styles.name}>{current.characterName}</span>
        <MemberTypeBadge memberType={current.memberType} />
        {admin ? <Badge tone="accent">{t('shell.profile.admin')}</Badge> : null}
      </>
    );
  }
  if (admin) {
    return (
      <>
        <span className={styles.name}>{admin.username}</span>
        <Badge tone="accent">{t('shell.profile.admin')}</Badge>
      </>
    );
  }
  return (
    <>
      <UserIcon />
      {t('shell.profile.guest')}
    </>
  );
}
