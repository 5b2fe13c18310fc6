import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { QuietHours } from '../../../../shared/rules/quiet-hours.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { withdrawWait } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { compareText } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useOwnWaits } from '../../../state/own-waits.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { WhenText } from '../../claiming/hours/when-text.tsx';
import styles from '../mine.module.css';
import { MineRow } from '../mine-row.tsx';
import { OnlineButton } from '../online-button.tsx';
import { useMine } from '../use-mine.ts';
import { PassedOver } from './passed-over.tsx';
import { useAskedWait } from './use-asked-wait.ts';
import { useQuietHours } from './use-quiet-hours.ts';

const byDate = (a: Wait, b: Wait): number => compareText(a.date, b.date) || a.hour_start - b.hour_start || a.id - b.id;

/** Where one's characters stand in line. Where nobody may wait it is shown only while somebody still does. */
export function MyLines(): ReactNode {
  const { t } = useTranslation();
  const { withCharacter } = useMine();
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  const own = [...useOwnWaits()].sort((a, b) => byDate(a.wait, b.wait));
  const [asked, setAsked] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  // Whose turn it is stands among what is held.
  const inLine = own.filter(({ wait }) => wait.status === 'waiting');
  const quiet = useQuietHours(inLine.map(({ profile }) => profile.accessKey));
  const leaving = own.find(({ wait }) => wait.id === asked);
  if (!isOn && inLine.length === 0) return null;
  return (
    <Panel title={t('mine.line.title')} flush className={styles.panel}>
      <div ref={list} tabIndex={-1} className={styles.list}>
        {inLine.length === 0 ? (
          <EmptyState title={t('mine.line.none')} text={t('mine.line.noneText')} />
        ) : (
          <ul className={styles.rows}>
            {inLine.map(({ wait, profile }) => (
              <InLine
                key={wait.id}
                wait={wait}
                quiet={quiet.get(profile.accessKey)}
                withCharacter={withCharacter}
                onLeave={() => setAsked(wait.id)}
              />
            ))}
          </ul>
        )}
        {isOn ? null : <p className={styles.note}>{t('mine.line.off')}</p>}
      </div>
      {leaving ? (
        <LeaveDialog wait={leaving.wait} access_key={leaving.profile.accessKey} onClose={() => setAsked(null)} focusAfter={list} />
      ) : null}
    </Panel>
  );
}

interface InLineProps {
  wait: Wait;
  /** Its character's; undefined: not known. */
  quiet: QuietHours | undefined;
  withCharacter: boolean;
  onLeave: () => void;
}

function InLine({ wait, quiet, withCharacter, onLeave }: InLineProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name) ?? '';
  const [ref, isRinged] = useAskedWait<HTMLLIElement>(wait.id);
  return (
    <MineRow
      ref={ref}
      isRinged={isRinged}
      of={wait}
      withCharacter={withCharacter}
      actions={
        <OnlineButton onClick={onLeave} aria-label={t('mine.line.leaveName', { spot })}>
          {t('mine.line.leave')}
        </OnlineButton>
      }
    >
      <p className={styles.facts}>
        <b className={styles.place}>{t('mine.line.place', { position: wait.position })}</b>
        {wait.min_hours > 1 ? ` · ${t('mine.line.atLeast', { hours: wait.min_hours })}` : null}
      </p>
      {quiet ? <PassedOver hours={quiet} /> : null}
    </MineRow>
  );
}

interface LeaveDialogProps {
  /** As it is now. */
  wait: Wait;
  access_key: string;
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
}

/** One's place is lost for good, so it asks. */
function LeaveDialog({ wait, access_key, onClose, focusAfter }: LeaveDialogProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const errorText = useErrorText();
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name) ?? '';
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={t('mine.line.confirmLeave.title', { spot })}
      text={
        <div className={styles.question}>
          <WhenText date={wait.date} start={wait.hour_start} end={wait.hour_end} today={today} />
          <p>
            {t(wait.status === 'offered' ? 'mine.line.confirmLeave.offered' : 'mine.line.confirmLeave.text', { position: wait.position })}
          </p>
        </div>
      }
      confirmLabel={t('mine.line.leave')}
      onConfirm={async () => {
        await withdrawWait(wait.id, access_key);
        showToast({ text: t('mine.line.left', { spot }) });
      }}
      errorText={(error) => t('mine.line.leaveFailed', { reason: errorText(error) })}
    />
  );
}
