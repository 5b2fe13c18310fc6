import { type ReactNode, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ADMIN_ROLES, type AdminRole } from '../../../../shared/rules/roles.ts';
import type { AdminAccount, Invitation } from '../../../../shared/schemas/admin.ts';
import {
  getAdmins,
  removeAdmin,
  setAdminRole,
  withdrawInvitation,
} from '../../../api/admin-calls.ts';
import { refreshQuery, useServerQuery } from '../../../api/query.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { confirm } from '../../../state/overlays.ts';
import { dropAdmin, useSession } from '../../../state/session-store.ts';
import { FailedLoad } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { DateText } from '../../../ui/hours/time-text.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useMinute } from '../system/system-tab.tsx';
import styles from './admins.module.css';
import { useFollowAdmins } from './follow-admins.ts';
import { InviteForm, useRoleOptions } from './invite-form.tsx';

export function AdminsTab(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch } = useServerQuery({
    queryKey: ['admins'],
    queryFn: ({ signal }) => getAdmins(signal),
  });
  useFollowAdmins();
  const tab = useRef<HTMLElement>(null);
  const onConfirm = useConfirmAdminAction(tab);
  const owners = data?.admins.filter(({ role }) => role === 'owner').length ?? 0;
  return (
    <section
      ref={tab}
      tabIndex={-1}
      aria-label={t('admin.tabs.settings/admins')}
      className={`${styles.tab} no-ring`}
    >
      {error ? (
        <FailedLoad
          sentence={t('admin.admins.loadFailed')}
          reason={errorText(error)}
          onTryAgain={() => void refetch()}
        />
      ) : null}
      {data ? (
        <>
          <Panel title={t('admin.admins.list')}>
            <ul>
              {data.admins.map((admin) => (
                <AdminRow
                  key={admin.id}
                  admin={admin}
                  isLastOwner={admin.role === 'owner' && owners === 1}
                  onConfirm={onConfirm}
                />
              ))}
            </ul>
          </Panel>
          <Panel title={t('admin.admins.invitations')}>
            {data.invitations.length === 0 ? (
              <p className={styles.more}>{t('admin.admins.noInvitations')}</p>
            ) : null}
            <ul>
              {data.invitations.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} onConfirm={onConfirm} />
              ))}
            </ul>
          </Panel>
        </>
      ) : null}
      {data || error ? null : (
        <Loading>
          <Skeleton height={240} />
          <Skeleton height={100} />
        </Loading>
      )}
      {/* Outside the list, which may fail or reload: this may show a link that is shown only once. */}
      <Panel title={t('admin.admins.invite.title')}>
        <InviteForm />
      </Panel>
    </section>
  );
}

type ConfirmedAction =
  | { kind: 'role'; admin: AdminAccount; role: AdminRole; isSelf: boolean }
  | { kind: 'remove'; admin: AdminAccount; isSelf: boolean }
  | { kind: 'withdraw'; invitation: Invitation };
type OnConfirm = (action: ConfirmedAction) => void;

interface AdminRowProps {
  admin: AdminAccount;
  isLastOwner: boolean;
  onConfirm: OnConfirm;
}

function AdminRow({ admin, isLastOwner, onConfirm }: AdminRowProps): ReactNode {
  const { t } = useTranslation();
  const { username, role, created_at } = admin;
  const isSelf = useSession((session) => session.admin?.username === username);
  const options = useRoleOptions();
  const { chosen, promote } = useRolePromotion(admin);
  const choose = (next: AdminRole): void => {
    if (next === role || chosen !== role) return;
    if (isSelf || ranksBelow(next, role)) onConfirm({ kind: 'role', admin, role: next, isSelf });
    else promote(next);
  };
  return (
    <Cluster as="li" rowGap={3} gap={6} justify="space-between" className={styles.row}>
      <div className={styles.about}>
        <Cluster rowGap={1} className={styles.name}>
          <h3>{username}</h3>
          {isSelf ? <Badge tone="accent">{t('admin.admins.you')}</Badge> : null}
          {isLastOwner ? <Badge>{t(`admin.roles.${role}.name`)}</Badge> : null}
        </Cluster>
        <p className={styles.more}>{t(`admin.roles.${role}.text`)}</p>
        <p className={styles.more}>
          {t('admin.admins.since')} <DateText at={created_at} />
        </p>
      </div>
      {isLastOwner ? (
        <p className={styles.why}>{t('admin.admins.lastOwner')}</p>
      ) : (
        <Cluster>
          <Select
            label={t('admin.admins.roleOf', { name: username })}
            wide={false}
            value={chosen}
            options={options}
            onChange={choose}
          />
          <Button
            variant="danger"
            aria-label={t('admin.admins.removeName', { name: username })}
            onClick={() => onConfirm({ kind: 'remove', admin, isSelf })}
          >
            {t('admin.admins.removeLabel')}
          </Button>
        </Cluster>
      )}
    </Cluster>
  );
}

const ranksBelow = (next: AdminRole, before: AdminRole): boolean =>
  ADMIN_ROLES.indexOf(next) > ADMIN_ROLES.indexOf(before);

/** Gives an admin a more powerful role without asking. `chosen` is the role to show until the list has it. */
function useRolePromotion({ id, username, role }: AdminAccount): {
  chosen: AdminRole;
  promote: (role: AdminRole) => void;
} {
  const { t } = useTranslation();
  const { run, isBusy, input } = useAction({
    work: async (next: AdminRole) => {
      try {
        await setAdminRole(id, next);
      } finally {
        // After a refusal, too: another owner may have changed the list.
        await refreshQuery('admins');
      }
    },
    done: (_set, next) =>
      showToast({
        text: t('admin.admins.role.done', { name: username, role: t(`admin.roles.${next}.name`) }),
      }),
    failed: (reason) => t('admin.admins.role.failed', { name: username, reason }),
  });
  return { chosen: (isBusy && input) || role, promote: run };
}

function InvitationRow({
  invitation,
  onConfirm,
}: {
  invitation: Invitation;
  onConfirm: OnConfirm;
}): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const { username, role, created_by_username, expires_at } = invitation;
  return (
    <Cluster as="li" rowGap={3} gap={6} justify="space-between" className={styles.row}>
      <div className={styles.about}>
        <Cluster rowGap={1} className={styles.name}>
          <h3>{username}</h3>
          <Badge>{t(`admin.roles.${role}.name`)}</Badge>
        </Cluster>
        <p className={styles.more}>
          {t('admin.admins.invitedBy', { name: created_by_username, at: minute(expires_at) })}
        </p>
      </div>
      <Cluster>
        <Button
          variant="danger"
          aria-label={t('admin.admins.withdrawName', { name: username })}
          onClick={() => onConfirm({ kind: 'withdraw', invitation })}
        >
          {t('admin.admins.withdrawLabel')}
        </Button>
      </Cluster>
    </Cluster>
  );
}

async function perform(action: ConfirmedAction): Promise<void> {
  if (action.kind === 'role') await setAdminRole(action.admin.id, action.role);
  else if (action.kind === 'remove') await removeAdmin(action.admin.id);
  else await withdrawInvitation(action.invitation.id);
}

/** Asks before an admin loses rights or an invitation is withdrawn. @param tab takes the focus when the row is removed */
function useConfirmAdminAction(tab: RefObject<HTMLElement | null>): OnConfirm {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (action) => {
    const { kind } = action;
    const name = kind === 'withdraw' ? action.invitation.username : action.admin.username;
    const role = kind === 'role' ? t(`admin.roles.${action.role}.name`) : '';
    const isSelf = kind !== 'withdraw' && action.isSelf;
    confirm({
      title: t(`admin.admins.${kind}.title`, { name, role }),
      text: (
        <Stack>
          {kind === 'role' ? <p>{t(`admin.roles.${action.role}.text`)}</p> : null}
          <p>{t(`admin.admins.${kind}.text`)}</p>
          {isSelf ? <p>{t(`admin.admins.${kind}.self`)}</p> : null}
        </Stack>
      ),
      confirmLabel: t(`admin.admins.${kind}.confirm`),
      onConfirm: async () => {
        try {
          await perform(action);
        } catch (error) {
          void refreshQuery('admins');
          throw error;
        }
        showToast({ text: t(`admin.admins.${kind}.done`, { name, role }) });
        // An admin who removed themselves is signed out on purpose: no session has expired.
        if (kind === 'remove' && isSelf) dropAdmin(null);
        else await refreshQuery('admins');
      },
      errorText: (error) => t(`admin.admins.${kind}.failed`, { name, reason: errorText(error) }),
      focusAfter: kind === 'role' ? undefined : tab,
    });
  };
}
