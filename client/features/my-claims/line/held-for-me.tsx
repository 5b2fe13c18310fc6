import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { acceptWait, declineWait } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMinutesLeft } from '../../../state/minutes-left.ts';
import { useOwnWaits } from '../../../state/own-waits.ts';
import { Panel } from '../../../ui/panel.tsx';
import { type HoldAnswer, TakeOrLetGo } from '../../../ui/take-or-let-go.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from '../mine.module.css';
import { MineRow } from '../mine-row.tsx';
import { useClockTime } from '../use-clock-time.ts';
import { useMine } from '../use-mine.ts';
import { useAskedWait } from './use-asked-wait.ts';

/** Hours that came free and are held for one's characters, while they are; nothing where none are. */
export function HeldForMe(): ReactNode {
  const { t } = useTranslation();
  const { claims, withCharacter } = useMine();
  const waits = useOwnWaits();
  const held = waits.flatMap(({ wait, profile }) => {
    const claim = claims.find((one) => one.is_held && one.id === wait.held_claim_id);
    return claim ? [{ wait, claim, access_key: profile.accessKey }] : [];
  });
  if (held.length === 0) return null;
  return (
    <Panel title={t('mine.held.title')} flush className={styles.held}>
      <ul className={styles.rows}>
        {held.map((one) => (
          <Held key={one.wait.id} {...one} withCharacter={withCharacter} />
        ))}
      </ul>
    </Panel>
  );
}

interface HeldProps {
  wait: Wait;
  claim: ClaimOnRespawn;
  access_key: string;
  withCharacter: boolean;
}

function Held({ wait, claim, access_key, withCharacter }: HeldProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  const isOffline = useBoard((board) => board.connection === 'offline');
  const [busy, setBusy] = useState<HoldAnswer | null>(null);
  const [ref, isRinged] = useAskedWait<HTMLLIElement>(wait.id);
  const answer = async (how: HoldAnswer): Promise<void> => {
    setBusy(how);
    try {
      await (how === 'take' ? acceptWait : declineWait)(wait.id, access_key);
      showToast({ text: t(how === 'take' ? 'mine.held.taken' : 'mine.held.gone', { spot }) });
    } catch (error) {
      showToast({ tone: 'bad', text: errorText(error) });
    }
    setBusy(null);
  };
  return (
    <MineRow
      ref={ref}
      isRinged={isRinged}
      of={claim}
      withCharacter={withCharacter}
      actions={
        <TakeOrLetGo
          what={{ spot, hours: t('time.range', { start: claim.hour_start, end: claim.hour_end }) }}
          busy={busy}
          isOffline={isOffline}
          onAnswer={(how) => void answer(how)}
        />
      }
    >
      {claim.held_until ? <TimeLeft until={claim.held_until} /> : null}
    </MineRow>
  );
}

/** It counts by itself, so that nothing else renders for it. */
function TimeLeft({ until }: { until: string }): ReactNode {
  const { t } = useTranslation();
  const clockTime = useClockTime();
  const count = useMinutesLeft(until);
  return (
    <p className={styles.now}>{t('mine.held.until', { until: clockTime(Date.parse(until)), left: t('time.minutesLeft', { count }) })}</p>
  );
}
