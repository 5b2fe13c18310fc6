import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewInvitation } from '../../../../shared/schemas/admin.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { FailedLoad } from '../../../ui/alert.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { AdminConfirmation, type AdminDeed } from './admin-confirmation.tsx';
import { AdminRow } from './admin-row.tsx';
import styles from './admins.module.css';
import { InvitationLink } from './invitation-link.tsx';
import { InvitationRow } from './invitation-row.tsx';
import { InviteForm } from './invite-form.tsx';
import { useAdmins } from './use-admins.ts';

/** Who else is an admin and as what, and who is invited, for owners. */
export function AdminsTab(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { list, failure, ask } = useAdmins();
  const [deed, setDeed] = useState<AdminDeed | null>(null);
  const [made, setMade] = useState<NewInvitation | null>(null);
  const tab = useRef<HTMLElement>(null);
  const owners = list?.admins.filter(({ role }) => role === 'owner').length ?? 0;
  return (
    <section ref={tab} tabIndex={-1} aria-label={t('admin.tabs.admins')} className={styles.tab}>
      {failure ? <FailedLoad sentence={t('admin.admins.loadFailed')} reason={errorText(failure)} onTryAgain={() => void ask()} /> : null}
      {list ? (
        <>
          <Panel title={t('admin.admins.list')}>
            <ul className={styles.rows}>
              {list.admins.map((admin) => (
                <AdminRow
                  key={admin.id}
                  admin={admin}
                  isLastOwner={admin.role === 'owner' && owners === 1}
                  onDeed={setDeed}
                  onChanged={ask}
                />
              ))}
            </ul>
          </Panel>
          <Panel title={t('admin.admins.invitations')}>
            {list.invitations.length === 0 ? <p className={styles.more}>{t('admin.admins.noInvitations')}</p> : null}
            <ul className={styles.rows}>
              {list.invitations.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} onWithdraw={() => setDeed({ what: 'withdraw', invitation })} />
              ))}
            </ul>
          </Panel>
          <Panel title={t('admin.admins.invite.title')}>
            <InviteForm
              onInvited={(invitation) => {
                setMade(invitation);
                void ask();
              }}
            />
          </Panel>
        </>
      ) : null}
      {list || failure ? null : (
        <Loading>
          <Skeleton height={240} />
          <Skeleton height={100} />
          <Skeleton height={140} />
        </Loading>
      )}
      {deed ? <AdminConfirmation deed={deed} onClose={() => setDeed(null)} onDone={ask} focusAfter={tab} /> : null}
      {made ? <InvitationLink invitation={made} onClose={() => setMade(null)} /> : null}
    </section>
  );
}
