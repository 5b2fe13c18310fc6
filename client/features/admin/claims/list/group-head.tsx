import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockedButton } from '../../../../ui/blocked-button.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Emblem } from '../../../../ui/emblem.tsx';
import styles from '../claims.module.css';
import { type ClaimGroup, countClaims } from '../shown/claim-groups.ts';

interface GroupHeadProps {
  group: ClaimGroup;
  complete: boolean;
  onClear: () => void;
}

export function GroupHead({ group, complete, onClear }: GroupHeadProps): ReactNode {
  const { t } = useTranslation();
  const { name, image_url } = group;
  const clearAll = {
    small: true,
    'aria-label': t('admin.claims.clearName', { respawn: name }),
    children: t('admin.claims.clear'),
  } as const;
  return (
    <div className={styles.head}>
      {image_url ? <Emblem src={image_url} name={name} size={32} /> : null}
      <h2 className={styles.respawn}>{name}</h2>
      <span className={styles.headCount}>{t('admin.claims.count', { count: countClaims([group]) })}</span>
      {complete ? (
        <Button {...clearAll} variant="danger" onClick={onClear} />
      ) : (
        <BlockedButton {...clearAll} reason={t('admin.claims.notAllLoaded')} />
      )}
    </div>
  );
}
