import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { askToWait } from '../../../state/asked-wait.ts';
import { QueueIcon } from '../../../ui/icons.tsx';
import { useTip } from '../../../ui/tooltip.tsx';
import styles from './wait.module.css';

interface WaitButtonProps {
  claim: Pick<ClaimOnRespawn, 'respawn_id' | 'hour_start' | 'hour_end'>;
  date: string;
  /** How many wait for some of its hours already. */
  count: number;
  /** Whose hours they are, in words, and as they are shown. */
  name: string;
  children: ReactNode;
}

/** Who has the hours, and a way to wait for them. */
export function WaitButton({ claim, date, count, name, children }: WaitButtonProps): ReactNode {
  const { t } = useTranslation();
  const tip = useTip(() => [t('board.wait.these'), ...(count > 0 ? [t('board.wait.count', { count })] : [])].join(' · '));
  const { respawn_id, hour_start, hour_end } = claim;
  return (
    <button
      {...tip}
      type="button"
      aria-haspopup="dialog"
      aria-label={[name, ...(count > 0 ? [t('board.wait.count', { count })] : []), t('board.wait.these')].join('. ')}
      className={styles.wait}
      onClick={({ currentTarget }) => askToWait({ respawn_id, date, hour_start, hour_end, anchor: currentTarget })}
    >
      <span>{children}</span>
      <span className={styles.sign} aria-hidden="true">
        <QueueIcon size={14} />
        {/* Drawn, not written: the name says it in words. */}
        {count > 0 ? <span data-count={count} /> : null}
      </span>
    </button>
  );
}
