import type { ReactNode, Ref } from 'react';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { classes } from '../../ui/classes.ts';
import { Emblem } from '../../ui/emblem.tsx';
import { MemberTypeBadge } from '../../ui/member-type-badge.tsx';
import { WhenText } from '../claiming/hours/when-text.tsx';
import styles from './mine.module.css';
import { SpotLink } from './spot-link.tsx';

interface MineRowProps {
  /** A claim or a wait: where, when and whose. */
  of: { respawn_id: number; date: string | null; hour_start: number; hour_end: number; character_name: string; member_type: string };
  withCharacter: boolean;
  /** It is on at this moment. */
  isOn?: boolean;
  /** Somebody asked for it. */
  isRinged?: boolean;
  ref?: Ref<HTMLLIElement>;
  /** Beside the spot's name. */
  badges?: ReactNode;
  /** Below the hours. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** One of one's own things: where, when, whose, and what can be done with it. */
export function MineRow({ of, withCharacter, isOn, isRinged, ref, badges, children, actions }: MineRowProps): ReactNode {
  const { date: today } = useServerSaveTime();
  const respawn = useBoard((board) => board.byKind.respawn.get(of.respawn_id));
  return (
    <li ref={ref} className={classes(styles.row, isOn && styles.on, isRinged && styles.ringed)}>
      {respawn ? <Emblem src={respawn.image_url} name={respawn.name} size={32} /> : <span />}
      <div className={styles.what}>
        <p className={styles.title}>
          <SpotLink respawn_id={of.respawn_id} date={of.date} />
          {badges}
        </p>
        <p className={styles.facts}>
          <WhenText date={of.date} start={of.hour_start} end={of.hour_end} today={today} />
        </p>
        {withCharacter ? (
          <p className={styles.facts}>
            {of.character_name} <MemberTypeBadge memberType={of.member_type} />
          </p>
        ) : null}
        {children}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </li>
  );
}
