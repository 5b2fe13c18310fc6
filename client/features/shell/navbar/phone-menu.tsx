import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { classes } from '../../../ui/classes.ts';
import { MenuIcon } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/menu.tsx';
import styles from './navbar.module.css';

const PhoneList = lazyPart(async () => (await import('./phone-list.tsx')).PhoneList);

/** Everything the bar has no room for. */
export function PhoneMenu(): ReactNode {
  const { t } = useTranslation();
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" aria-label={t('shell.menu')} className={classes(styles.trigger, styles.phoneMenu)}>
          <MenuIcon size={20} />
        </button>
      }
    >
      <PhoneList />
    </Menu>
  );
}
