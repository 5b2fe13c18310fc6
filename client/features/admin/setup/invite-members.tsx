import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { placeAddress } from '../../../lib/admin-tabs.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { LocalAddressNote } from '../../../ui/local-address-note.tsx';
import { CopyText } from '../people/copy-text.tsx';
import styles from './setup.module.css';

/** The two ways to become a member, each with its actions for the admin. */
export function InviteMembers({ onPaste }: { onPaste: () => void }): ReactNode {
  const { t } = useTranslation();
  const url = `${location.origin}/verify`;
  return (
    <>
      <p className={styles.text}>{t('admin.setup.steps.members.text')}</p>
      <dl className={styles.ways}>
        <div>
          <dt>{t('admin.setup.ways.verify.name')}</dt>
          <dd>
            <p className={styles.text}>{t('admin.setup.ways.verify.text')}</p>
            <Cluster>
              <CopyText text={url} label={t('admin.setup.ways.verify.copyLink')} />
              <CopyText
                text={t('admin.setup.ways.verify.message', { url })}
                label={t('admin.setup.ways.verify.copyMessage')}
              />
            </Cluster>
            <LocalAddressNote url={url} />
          </dd>
        </div>
        <div>
          <dt>{t('admin.setup.ways.keys.name')}</dt>
          <dd>
            <p className={styles.text}>{t('admin.setup.ways.keys.text')}</p>
            <Cluster>
              <Button small onClick={onPaste}>
                {t('admin.setup.ways.keys.paste')}
              </Button>
              <ButtonLink small variant="quiet" to={placeAddress('keys')}>
                {t('admin.setup.ways.keys.open')}
              </ButtonLink>
            </Cluster>
          </dd>
        </div>
      </dl>
    </>
  );
}
