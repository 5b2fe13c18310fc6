import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import tab from '../tab.module.css';
import styles from './claims.module.css';
import { CurrentClaims } from './current-claims.tsx';
import { WaitlistView } from './waitlist-view.tsx';
import { WeeklyClaimsView } from './weekly-claims-view.tsx';

const PARTS = ['current', 'waitlist', 'weekly'] as const;
type Part = (typeof PARTS)[number];
const PARAMETERS = ['view'];

const CONTENTS: { readonly [P in Part]: ReactNode } = {
  current: <CurrentClaims />,
  waitlist: <WaitlistView />,
  weekly: <WeeklyClaimsView />,
};

/** Current claims, the waitlists, and weekly claims unless the guild has none: `?view=waitlist`. */
export function ClaimsTab(): ReactNode {
  const { t } = useTranslation();
  const [{ view = '' }, change] = useQueryState(PARAMETERS);
  const weeklyClaims = useBoard((board) => board.byKind.standing_claim.size);
  const hasWeekly =
    useBoard((board) => board.byKind.config.get(CONFIG_ID)?.standing_enabled === 1) ||
    weeklyClaims > 0;
  const visible = PARTS.filter((one) => one !== 'weekly' || hasWeekly);
  const part = visible.find((one) => one === view) ?? 'current';
  const entries = useBoard((board) => board.byKind.wait.size);
  const labels: { [P in Part]: string } = {
    current: t('admin.tabs.claims'),
    waitlist:
      entries > 0 ? t('admin.waitlist.tabCount', { count: entries }) : t('admin.waitlist.tab'),
    weekly:
      weeklyClaims > 0
        ? t('admin.weeklyClaims.tabCount', { count: weeklyClaims })
        : t('admin.weeklyClaims.tab'),
  };
  return (
    <div className={tab.tab}>
      <div className={styles.views}>
        <Segmented
          label={t('admin.claims.views')}
          value={part}
          options={visible.map((value) => ({ value, label: labels[value] }))}
          onChange={(next) => change({ view: next === 'current' ? '' : next })}
        />
      </div>
      {CONTENTS[part]}
    </div>
  );
}
