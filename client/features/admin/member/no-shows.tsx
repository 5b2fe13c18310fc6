import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Ending } from '../../../../shared/schemas/ending.ts';
import { excuseNoShow, getEndings } from '../../../api/admin-calls.ts';
import { useServerPages } from '../../../api/query.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { isOfCharacter, lastClaimChange } from '../claims/claim-changes.ts';
import { useOfferUndoOf } from '../forms/undo.ts';
import { PageEnd, useReloadOn } from '../pages/pages.tsx';
import styles from './member.module.css';

/** The member's no-shows, the newest first, live; an admin can excuse each. */
export function NoShows({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const pages = useServerPages({
    queryKey: ['no-shows of', nameKey(name)],
    read: (page, signal) => getEndings({ character: name, reason: 'no_show', ...page }, signal),
  });
  const lastChange = useBoard(({ byKind }) =>
    lastClaimChange(byKind.activity.values(), isOfCharacter(name)),
  );
  useReloadOn(lastChange, pages);
  if (pages.records.length === 0) return null;
  return (
    <Stack as="section" aria-label={t('admin.member.noShows')}>
      <h2>{t('admin.member.noShows')}</h2>
      <ul ref={list} tabIndex={-1} className={styles.noShows}>
        {pages.records.map((ending) => (
          <NoShow key={ending.id} ending={ending} onExcused={() => list.current?.focus()} />
        ))}
      </ul>
      <PageEnd pages={pages} failed={t('admin.member.noShowsFailed')} />
    </Stack>
  );
}

function NoShow({ ending, onExcused }: { ending: Ending; onExcused: () => void }): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const mayExcuse = useMay('claims');
  const offerUndo = useOfferUndoOf();
  const { id, respawn_name, hour_start: start, hour_end: end, excused_by: by } = ending;
  const date = ending.date ?? '';
  const day = dayText(date);
  const excuse = useAction({
    work: () => excuseNoShow(id),
    done: ({ activity_id }) => {
      offerUndo(t('admin.member.excusedDone'), activity_id);
      onExcused();
    },
    failed: (reason) => reason,
  });
  const claim = `${respawn_name}, ${day}, ${t('time.range', { start, end })}`;
  return (
    <li className={styles.noShow}>
      <span>
        {respawn_name} · {day}, <HoursText date={date} start={start} end={end} />
      </span>
      {by === null ? (
        mayExcuse ? (
          <Button
            small
            aria-label={t('admin.member.excuseNamed', { claim })}
            busy={excuse.isBusy}
            onClick={() => excuse.run()}
          >
            {t('admin.member.excuse')}
          </Button>
        ) : null
      ) : (
        <span className="muted small">{t('admin.member.excused', { by })}</span>
      )}
    </li>
  );
}
