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

const PARTS = ['standing', 'line', 'endings'] as const;
type Part = (typeof PARTS)[number];
const PARAMETERS = ['view'];

/** Current claims, the waitlists, and the claim history: `?view=line`. */
export function ClaimsTab(): ReactNode {
  const { t } = useTranslation();
  const [{ view = '' }, change] = useQueryState(PARAMETERS);
  const part = PARTS.find((one) => one === view) ?? 'standing';
  const waiting = useBoard((board) => board.byKind.wait.size);
  const labels: { [P in Part]: string } = {
    standing: t('admin.claims.list'),
    line: waiting > 0 ? t('admin.line.tabCount', { count: waiting }) : t('admin.line.tab'),
    endings: t('admin.endings.tab'),
  };
  return (
    <div className={tab.tab}>
      <div className={styles.views}>
        <Segmented
          label={t('admin.claims.views')}
          value={part}
          options={PARTS.map((value) => ({ value, label: labels[value] }))}
          onChange={(next) => change({ view: next === 'standing' ? '' : next })}
        />
      </div>
      {part === 'standing' ? <CurrentClaims /> : part === 'line' ? <WaitlistView /> : <ClaimHistory />}
    </div>
  );
}
