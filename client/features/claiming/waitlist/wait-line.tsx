import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChevronDownIcon } from '../../../ui/icons.tsx';
import styles from './wait.module.css';
import { useJustOwn, WaitEntries, type WaitEntriesProps } from './wait-entries.tsx';

/** "2 waiting · you are number 2": a line that opens. Nothing where nobody waits. */
export function WaitLine({ line, ...rest }: WaitEntriesProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const listId = useId();
  const own = useJustOwn(line);
  if (line.length === 0) return null;
  return (
    <div className={styles.line}>
      <button type="button" className={styles.toggle} aria-expanded={open} aria-controls={listId} onClick={() => setOpen(!open)}>
        <span>{t('board.wait.count', { count: line.length })}</span>
        {own ? (
          <span className={styles.you}>
            {own.status === 'offered' ? t('board.wait.yourTurn') : t('board.wait.yourPlace', { place: own.position })}
          </span>
        ) : null}
        <ChevronDownIcon size={14} />
      </button>
      <div id={listId} hidden={!open}>
        {open ? <WaitEntries line={line} {...rest} /> : null}
      </div>
    </div>
  );
}
