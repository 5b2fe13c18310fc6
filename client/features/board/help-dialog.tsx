import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import { setShortcutsOn, useShortcutsOn } from '../../lib/preferences.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { HourStrip } from '../../ui/hours/hour-strip.tsx';
import { useLocalTime } from '../../ui/hours/hours-text.tsx';
import { QueueIcon, StarIcon } from '../../ui/icons.tsx';
import { Stack } from '../../ui/layout.tsx';
import { useMemberTypeLooks } from '../../ui/member-type-badge.tsx';
import styles from './help-dialog.module.css';

const KEYS = [
  { what: 'search', keys: ['/'] },
  { what: 'timeline', keys: ['t'] },
  { what: 'days', keys: ['←', '→'] },
  { what: 'sections', keys: ['Tab'] },
  { what: 'arrows', keys: ['↑', '↓', '←', '→'] },
  { what: 'palette', keys: ['Ctrl', 'K'] },
  { what: 'help', keys: ['?'] },
] as const;

/** How the board works: what SS means, how hours are claimed, its signs and its keys. */
export function HelpDialog({ onClose }: { onClose: () => void }): ReactNode {
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
  const areShortcutsOn = useShortcutsOn();
  const next = (hour + 1) % HOURS_IN_DAY;
  return (
    <Dialog open onOpenChange={onClose} title={t('board.help.title')}>
      <p>
        {t('board.help.ss', {
          save: localTime(date, 0, 0),
          hour,
          next,
          nextTime: localTime(date, hour + 1, hour),
        })}
      </p>
      <div className={styles.strip} aria-hidden="true">
        <HourStrip bars={example} label="" />
      </div>
      <Stack as="dl" className={styles.signs}>
        <Sign sign={<span className={styles.drag} />} text={t('board.help.drag')} />
        <Sign
          sign={<span className={styles.hatched} />}
          text={t(hasWaitlist ? 'board.help.hatchedOrHeld' : 'board.help.hatched')}
        />
        {hasWaitlist ? (
          <Sign sign={<QueueIcon size={18} />} text={t('board.help.waitlist')} />
        ) : null}
        <Sign sign={t('board.priority', { priority: 5 })} text={t('board.help.secondary')} />
        <Sign sign={<StarIcon />} text={t('board.help.star')} />
      </Stack>
      <Stack as="section" className={styles.keyboard}>
        <h3>{t('board.shortcuts.title')}</h3>
        <dl className={styles.keys}>
          {KEYS.map(({ what, keys }) => (
            <div key={what}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{t(`board.shortcuts.${what}`)}</dd>
            </div>
          ))}
        </dl>
        <Checkbox
          label={t('board.shortcuts.singleKeys')}
          checked={areShortcutsOn}
          onChange={({ target }) => setShortcutsOn(target.checked)}
        />
      </Stack>
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
