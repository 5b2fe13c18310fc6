import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../../../ui/classes.ts';
import { BanIcon, CheckIcon, ClockIcon, MinusCircleIcon } from '../../../ui/icons.tsx';
import type { CharacterStatus } from './character-status.ts';
import styles from './characters.module.css';

const ICONS: { [status in CharacterStatus]: ComponentType<{ size?: number }> } = {
  pending: ClockIcon,
  verified: CheckIcon,
  revoked: MinusCircleIcon,
  banned: BanIcon,
};

/** A status by a word and a shape, not by colour alone. */
export function StatusWord({ status }: { status: CharacterStatus }): ReactNode {
  const { t } = useTranslation();
  const StatusIcon = ICONS[status];
  return (
    <span className={classes(styles.status, styles[status])}>
      <StatusIcon size={14} />
      {t(`admin.characters.statuses.${status}`)}
    </span>
  );
}
