import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { NeedsLook } from '../../../../shared/schemas/needs-look.ts';
import { changeToRank, getNeedsLook, keepFacts } from '../../../api/admin-calls.ts';
import { refreshQuery, useServerQuery } from '../../../api/query.ts';
import { useInstantText } from '../../../lib/time-text.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { MemberLink } from '../table/member-link.tsx';
import styles from './people.module.css';
import type { Person } from './person.ts';
import type { OnConfirm } from './person-actions.tsx';

const QUERY = 'needs-look';
const INTERVAL_MS = 5 * 60_000;

interface Needs {
  needs: readonly NeedsLook[];
  error: unknown;
}

/** The members that need a look, without those whose keys were revoked or deleted since. */
export function useNeedsLook(): Needs {
  const isOn = useBoard(({ byKind }) => byKind.config.get(CONFIG_ID)?.facts_enabled === 1);
  const keys = useBoard((board) => board.byKind.access_key);
  const { data = [], error } = useServerQuery({
    queryKey: [QUERY],
    queryFn: ({ signal }) => getNeedsLook(signal),
    enabled: isOn,
    refetchInterval: INTERVAL_MS,
  });
  return { needs: isOn ? data.filter(({ id }) => keys.get(id)?.is_revoked === 0) : [], error };
}

interface ListProps {
  people: readonly Person[];
  onConfirm: OnConfirm;
}

/** Members who the game's data say left, were traded, deleted or renamed, or have another rank; with an action for each. */
export function NeedsLookList({ people, onConfirm }: ListProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const list = useRef<HTMLUListElement>(null);
  const { needs, error } = useNeedsLook();
  if (error)
    return <Alert tone="bad">{t('admin.needsLook.failed', { reason: errorText(error) })}</Alert>;
  if (needs.length === 0) return null;
  const keyed = new Map(people.map((person) => [person.key?.id, person]));
  return (
    <Stack as="section" aria-label={t('admin.needsLook.title')}>
      <h2>{t('admin.needsLook.title')}</h2>
      <p className="muted small">{t('admin.needsLook.hint')}</p>
      <ul ref={list} tabIndex={-1} className={styles.needs}>
        {needs.map((need) => {
          const person = keyed.get(need.id);
          return person?.key ? (
            <Need
              key={need.id}
              need={need}
              accessKey={person.key}
              onRevoke={() => onConfirm('revoke', person)}
              onDone={() => list.current?.focus()}
            />
          ) : null;
        })}
      </ul>
    </Stack>
  );
}

interface NeedProps {
  need: NeedsLook;
  accessKey: AccessKey;
  onRevoke: () => void;
  /** Its entry goes, with the focus. */
  onDone: () => void;
}

function Need({ need, accessKey, onRevoke, onDone }: NeedProps): ReactNode {
  const { t } = useTranslation();
  const instantText = useInstantText();
  const mayChange = useMay('guild');
  const text = useNeedText();
  const { id, kind, character_name: name, new_type: type, read_at } = need;
  const finish = (done: string): void => {
    onDone();
    showToast({ text: done });
  };
  const failed = (reason: string): string => {
    void refreshQuery(QUERY);
    return reason;
  };
  const keep = useAction({
    work: async () => {
      await keepFacts(id, kind);
      await refreshQuery(QUERY);
    },
    done: () => finish(t('admin.needsLook.kept', { name })),
    failed,
  });
  const change = useAction({
    work: async () => {
      await changeToRank(id);
      await refreshQuery(QUERY);
    },
    done: () => finish(t('admin.needsLook.changed', { name, type })),
    failed,
  });
  return (
    <li className={styles.need}>
      <span className={styles.needText}>
        <MemberLink name={name} />
        <span>{text(need, accessKey)}</span>
        <span className="muted small">
          {t('admin.needsLook.checked', { time: instantText(read_at, 'dayAndClock') })}
        </span>
      </span>
      {mayChange ? (
        <span className={styles.needActions}>
          {kind === 'rank' ? (
            <Button
              small
              aria-label={t('admin.needsLook.changeTypeNamed', { name, type })}
              busy={change.isBusy}
              onClick={() => change.run()}
            >
              {t('admin.needsLook.changeType')}
            </Button>
          ) : kind === 'renamed' ? null : (
            <Button
              small
              aria-label={t('admin.needsLook.revokeNamed', { name })}
              onClick={onRevoke}
            >
              {t('admin.needsLook.revoke')}
            </Button>
          )}
          <Button
            small
            variant="quiet"
            aria-label={t('admin.needsLook.keepNamed', { name })}
            busy={keep.isBusy}
            onClick={() => keep.run()}
          >
            {t('admin.needsLook.keep')}
          </Button>
        </span>
      ) : null}
    </li>
  );
}

function useNeedText(): (need: NeedsLook, key: AccessKey) => string {
  const { t } = useTranslation();
  return ({ kind, fact, new_type }, { member_type: from }) => {
    switch (kind) {
      case 'traded':
        return t('admin.needsLook.traded');
      case 'deleted':
        return t('admin.needsLook.deleted');
      case 'left':
        return fact === null
          ? t('admin.needsLook.left')
          : t('admin.needsLook.leftTo', { guild: fact });
      case 'renamed':
        return t('admin.needsLook.renamed', { name: fact });
      case 'rank': {
        const types = t('admin.needsLook.asType', { from, to: new_type });
        const rank =
          fact === null ? t('admin.needsLook.noRank') : t('admin.needsLook.rank', { rank: fact });
        return `${rank} (${types})`;
      }
    }
  };
}
