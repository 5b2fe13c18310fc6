import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { setShortcutsOn, useShortcutsOn } from '../../lib/preferences.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import styles from './shortcuts-dialog.module.css';

const KEYS = [
  { what: 'search', keys: ['/'] },
  { what: 'timeline', keys: ['t'] },
  { what: 'days', keys: ['←', '→'] },
  { what: 'sections', keys: ['Tab'] },
  { what: 'arrows', keys: ['↑', '↓', '←', '→'] },
  { what: 'palette', keys: ['Ctrl', 'K'] },
  { what: 'help', keys: ['?'] },
] as const;

/** The keyboard shortcuts, loaded when first opened. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const on = useShortcutsOn();
  return (
    <Dialog open onOpenChange={onClose} title={t('board.shortcuts.title')}>
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
        checked={on}
        onChange={({ target }) => setShortcutsOn(target.checked)}
      />
    </Dialog>
  );
}
