import { Command } from 'cmdk';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../lib/words/search.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { type Entry, find, indexed } from './entries.ts';
import styles from './palette.module.css';
import { useBoardEntries } from './use-board-entries.ts';
import { useOtherEntries } from './use-other-entries.ts';

/** Everything by its name: typing finds, arrow keys move, Enter goes there. What is found is found by the one rule of every search. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const board = useBoardEntries();
  const onBoard = useMemo(() => indexed(board), [board]);
  const others = useOtherEntries();
  const { groups, shown, count } = find([...onBoard, ...indexed(others)], wordsOf(search));
  const run = (entry: Entry): void => {
    onClose();
    entry.run();
  };
  return (
    <Dialog open onOpenChange={onClose} title={t('palette.title')} wide>
      {/* Its own search knows no accents, and its keys of Ctrl are the palette's own. */}
      <Command
        label={t('palette.label')}
        shouldFilter={false}
        vimBindings={false}
        loop
        // Its list counts as one that is open, and such a list keeps a dialog from being closed.
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        className={styles.palette}
      >
        <Command.Input value={search} onValueChange={setSearch} placeholder={t('palette.label')} className={styles.input} />
        <p role="status" className={styles.count}>
          {count === 0 ? t('palette.nothing') : shown < count ? t('palette.some', { shown, count }) : t('palette.all', { count })}
        </p>
        <Command.List label={t('palette.results')} className={styles.list}>
          {groups.map(({ id, entries }) => (
            <Command.Group key={id} heading={t(`palette.groups.${id}`)}>
              {entries.map((entry) => (
                <Command.Item key={entry.key} value={entry.key} onSelect={() => run(entry)} className={styles.item}>
                  <span>{entry.label}</span>
                  {entry.hint ? <span className={styles.hint}>{entry.hint}</span> : null}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
          {count === 0 ? <p className={styles.empty}>{t('palette.empty')}</p> : null}
        </Command.List>
      </Command>
    </Dialog>
  );
}
