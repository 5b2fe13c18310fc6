import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { HourStrip } from '../../ui/hours/hour-strip.tsx';
import { useLocalTime } from '../../ui/hours/hours-text.tsx';
import { QueueIcon, StarIcon } from '../../ui/icons.tsx';
import { useMemberTypeLooks } from '../../ui/member-type-badge.tsx';
import styles from './guide-dialog.module.css';

/** What SS means, how hours are claimed, and what the signs on the board mean. Opened by the counter, and on the first visit. */
export function GuideDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { date, hour } = useServerSaveTime();
  const localTime = useLocalTime();
  const lookOf = useMemberTypeLooks();
  const hasWaitlist = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  const example = [
    { key: 1, hour_start: 2, hour_end: 6, look: lookOf('member') },
    { key: 2, hour_start: 9, hour_end: 13, kind: 'choosing' as const },
    { key: 3, hour_start: 16, hour_end: 20, look: lookOf('elite'), mine: true },
  ];
  const next = (hour + 1) % HOURS_IN_DAY;
  return (
    <Dialog open onOpenChange={onClose} title={t('board.guide.title')}>
      <p>
        {t('board.guide.ss', {
          save: localTime(date, 0),
          hour,
          next,
          nextTime: localTime(date, hour + 1),
        })}
      </p>
      <div className={styles.strip} aria-hidden="true">
        <HourStrip bars={example} label="" />
      </div>
      <dl className={styles.signs}>
        <Sign sign={<span className={styles.drag} />} text={t('board.guide.drag')} />
        <Sign
          sign={<span className={styles.hatched} />}
          text={t(hasWaitlist ? 'board.guide.hatchedOrHeld' : 'board.guide.hatched')}
        />
        {hasWaitlist ? (
          <Sign sign={<QueueIcon size={18} />} text={t('board.guide.waitlist')} />
        ) : null}
        <Sign sign={t('board.priority', { priority: 5 })} text={t('board.guide.secondary')} />
        <Sign sign={<StarIcon />} text={t('board.guide.star')} />
      </dl>
    </Dialog>
  );
}

function Sign({ sign, text }: { sign: ReactNode; text: string }): ReactNode {
  return (
    <div>
      <dt>{sign}</dt>
      <dd>{text}</dd>
    </div>
  );
}
