import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { groupBy, inNameOrder } from '../../../lib/words/order.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/words/search.ts';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { CheckIcon } from '../../../ui/icons.tsx';
import styles from './respawn-picker.module.css';

export interface RespawnOptionsProps {
  id: string;
  groups: readonly RespawnGroup[];
  search: string;
  chosen: number | null;
  highlighted: number | null;
  /** Whether a spot has the hours that are chosen; null: none are. */
  fits: ((respawn_id: number) => boolean) | null;
  optionId: (respawn_id: number) => string;
  onChoose: (respawn: Respawn) => void;
}

/** The list below the picker; the focus stays in its input. */
export function RespawnOptions({ id, groups, search, ...options }: RespawnOptionsProps): ReactNode {
  const { t } = useTranslation();
  if (groups.length === 0) {
    return (
      <p role="status" className={classes(styles.list, styles.none)}>
        {t('submit.noRespawns', { text: search.trim() })}
      </p>
    );
  }
  return (
    <div
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={t('submit.respawn')}
      className={styles.list}
      // A press must not take the focus from the input, but a finger has to be able to scroll.
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map((group) => (
        <OptionGroup key={group.category ?? ''} group={group} {...options} />
      ))}
    </div>
  );
}

type OptionGroupProps = Omit<RespawnOptionsProps, 'id' | 'groups' | 'search'> & { group: RespawnGroup };

function OptionGroup({ group, chosen, highlighted, fits, optionId, onChoose }: OptionGroupProps): ReactNode {
  const { t } = useTranslation();
  const headingId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: within a listbox only a group may stand around options
    <div role="group" aria-labelledby={headingId}>
      <div id={headingId} className={styles.heading}>
        {group.category ?? t('submit.uncategorised')}
      </div>
      {group.respawns.map((respawn) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses from the input, which keeps the focus
        <div
          key={respawn.id}
          id={optionId(respawn.id)}
          role="option"
          tabIndex={-1}
          aria-selected={respawn.id === chosen}
          className={classes(styles.option, respawn.id === highlighted && styles.highlighted)}
          onClick={() => onChoose(respawn)}
        >
          <Emblem src={respawn.image_url} name={respawn.name} size={32} />
          <span className={styles.name}>{respawn.name}</span>
          {fits && !fits(respawn.id) ? <span className={styles.unfit}>{t('submit.notFreeThen')}</span> : null}
          {respawn.id === chosen ? <CheckIcon /> : null}
        </div>
      ))}
    </div>
  );
}

interface RespawnGroup {
  /** null: uncategorised. */
  category: string | null;
  respawns: readonly Respawn[];
}

const spotText = searchIndex((respawn: Respawn) => [respawn.name, respawn.category_name]);

/** The respawns whose name or category holds every word of a search, by category, the uncategorised last. */
export function groupRespawns(respawns: Iterable<Respawn>, search: string): RespawnGroup[] {
  const words = wordsOf(search);
  const fits = (respawn: Respawn): boolean => respawn.is_enabled === 1 && holds(spotText(respawn), words);
  const groups = groupBy(inNameOrder(respawns, ({ name }) => name).filter(fits), (respawn) => respawn.category_name);
  return inNameOrder(groups, ([category]) => category).map(([category, list]) => ({ category, respawns: list }));
}
