import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import tab from '../tab.module.css';
import { ClaimHistory } from './claim-history.tsx';
import styles from './claims.module.css';
import { CurrentClaims } from './current-claims.tsx';
import { WaitlistView } from './waitlist-view.tsx';

const PARTS = ['current', 'waitlist', 'history'] as const;
type Part = (typeof PARTS)[number];
const PARAMETERS = ['view'];

/** Current claims, the waitlists, and the claim history: `?view=waitlist`. */
export function ClaimsTab(): ReactNode {
  const { t } = useTranslation();
  const [{ view = '' }, change] = useQueryState(PARAMETERS);
  const part = PARTS.find((one) => one === view) ?? 'current';
  const entries = useBoard((board) => board.byKind.wait.size);
  const labels: { [P in Part]: string } = {
    current: t('admin.claims.list'),
    waitlist: entries > 0 ? t('admin.waitlist.tabCount', { count: entries }) : t('admin.waitlist.tab'),
    history: t('admin.claimHistory.tab'),
  };
  return (
    <div className={tab.tab}>
      <div className={styles.views}>
        <Segmented
          label={t('admin.claims.views')}
          value={part}
          options={PARTS.map((value) => ({ value, label: labels[value] }))}
          onChange={(next) => change({ view: next === 'current' ? '' : next })}
        />
      </div>
      {part === 'current' ? <CurrentClaims /> : part === 'waitlist' ? <WaitlistView /> : <ClaimHistory />}
    </div>
  );
}
