import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { claimKey } from '../../lib/claims.ts';
import { compareText } from '../../lib/words/order.ts';
import { boardAddress, shownSpot } from '../../state/board-place.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { useNearDay } from '../../state/near-day.ts';
import { useMay } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useLocalHours } from '../../ui/hours/hours-text.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { Cluster } from '../../ui/layout.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useUndo } from '../claiming/just-claimed.tsx';
import styles from './state-panels.module.css';

interface SuccessPanelProps {
  title: string;
  claims: readonly ClaimRow[];
  /** null: an admin submitted them. */
  access_key: string | null;
  onMore: () => void;
  onUndone: () => void;
}

export function SuccessPanel({
  title,
  claims,
  access_key,
  onMore,
  onUndone,
}: SuccessPanelProps): ReactNode {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [first] = claims;
  const { date: today } = useServerSaveTime();
  const spots = [...new Set(claims.map((claim) => claim.respawn_name))];
  return (
    <Panel className={styles.panel}>
      <h1 ref={heading} tabIndex={-1} className={styles.done} data-unsaved="">
        <span className="done-mark">
          <CheckIcon size={20} />
        </span>
        {title}
      </h1>
      <dl className={styles.facts}>
        <dt>{t('submit.summary.character')}</dt>
        <dd>{first?.character_name}</dd>
        <dt>{t('submit.respawn')}</dt>
        <dd>{spots.join(', ')}</dd>
        <CountFact claims={claims} />
        <dt>{t('submit.success.time')}</dt>
        <dd>
          <ul>
            {[...claims].sort(byDate).map((claim) => (
              <StoredTime key={claimKey(claim)} claim={claim} isOneSpot={spots.length === 1} />
            ))}
          </ul>
        </dd>
      </dl>
      <HowToChange />
      <Cluster stacked className={styles.actions}>
        <ButtonLink
          to={boardAddress(first?.date ?? null, today)}
          state={first && shownSpot(first.respawn_id)}
          variant="primary"
        >
          {t('submit.disabled.board')}
        </ButtonLink>
        <Button onClick={onMore}>{t('submit.success.more')}</Button>
        <UndoButton claims={claims} access_key={access_key} onUndone={onUndone} />
      </Cluster>
    </Panel>
  );
}

/** How many claims they are; a split one has a row for each part. */
function CountFact({ claims }: { claims: readonly ClaimRow[] }): ReactNode {
  const { t } = useTranslation();
  const count = new Set(claims.map((claim) => claim.id)).size;
  const parts = claims.filter((claim) => claim.is_split_claim).length;
  return (
    <>
      <dt>{t('submit.success.claims')}</dt>
      <dd className="tabular">
        {parts > 0 ? t('submit.success.claimsWithParts', { claims: count, parts }) : count}
      </dd>
    </>
  );
}

/** Offered only where the rules let these claims be undone. */
function UndoButton({
  claims,
  access_key,
  onUndone,
}: Pick<SuccessPanelProps, 'claims' | 'access_key' | 'onUndone'>): ReactNode {
  const { t } = useTranslation();
  const undo = useUndo()(claims, access_key);
  const press = useAction({
    work: async () => undo?.(),
    done: (isUndone) => {
      if (isUndone) onUndone();
    },
  });
  if (!undo) return null;
  return (
    <Button variant="quiet" busy={press.isBusy} onClick={() => press.run()}>
      {t('board.quickClaim.undo')}
    </Button>
  );
}

/** Members can't edit a submitted claim; admins edit claims on the dashboard, if their role allows it. */
function HowToChange(): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useSession((session) => session.admin !== null);
  const mayEdit = useMay('claims');
  if (!isAdmin) return <p className="muted">{t('submit.success.edit')}</p>;
  return mayEdit ? (
    <p className="muted">
      <Link to="/admin/dashboard/claims">{t('submit.success.editAsAdmin')}</Link>
    </p>
  ) : null;
}

const byDate = (a: ClaimRow, b: ClaimRow): number => compareText(a.date ?? '', b.date ?? '');

function StoredTime({ claim, isOneSpot }: { claim: ClaimRow; isOneSpot: boolean }): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  const localHours = useLocalHours();
  const { date, hour_start, hour_end } = claim;
  return (
    <li className="tabular">
      {`${date ? nearDay(date) : t('board.everyDay')}, `}
      <span className="nowrap strong">{t('time.range', { start: hour_start, end: hour_end })}</span>
      {isOneSpot ? null : ` · ${claim.respawn_name}`}
      {claim.is_secondary_claim ? (
        <>
          {' '}
          <Badge tone="accent">{t('board.priority', { priority: claim.secondary_priority })}</Badge>
        </>
      ) : null}
      {date ? (
        <span className="muted small block">{localHours(date, hour_start, hour_end)}</span>
      ) : null}
    </li>
  );
}
