import { type ReactNode, type Ref, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../shared/rules/names.ts';
import { boardAddress, shownSpot } from '../../state/board-place.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { claimsOfCharacters, isOnBoardDates, type OwnClaimRow } from '../../state/own-claims.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { BlockedButton, Button, type ButtonProps } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Emblem } from '../../ui/emblem.tsx';
import { Link } from '../../ui/link.tsx';
import { MemberTypeBadge } from '../../ui/member-type-badge.tsx';
import { WhenText } from '../claiming/when-text.tsx';
import styles from './my-claims.module.css';

interface MineRowProps {
  of: {
    respawn_id: number;
    date: string | null;
    hour_start: number;
    hour_end: number;
    character_name: string;
    member_type: string;
    /** Of a claim outside the active event. */
    first_date?: string;
  };
  withCharacter: boolean;
  /** It is on now. */
  isOn?: boolean;
  /** Highlighted, because a link led to it. */
  isRinged?: boolean;
  ref?: Ref<HTMLLIElement>;
  /** Beside the spot's name. */
  badges?: ReactNode;
  /** Below the hours. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** A claim or waitlist entry: where, when, whose, and its actions. */
export function MyClaimRow({
  of,
  withCharacter,
  isOn,
  isRinged,
  ref,
  badges,
  children,
  actions,
}: MineRowProps): ReactNode {
  const respawn = useBoard((board) => board.byKind.respawn.get(of.respawn_id));
  return (
    <li ref={ref} className={classes(styles.row, isOn && styles.on, isRinged && styles.ringed)}>
      {respawn ? <Emblem src={respawn.image_url} name={respawn.name} size={32} /> : <span />}
      <div className={styles.what}>
        <p className={styles.title}>
          <SpotLink {...of} />
          {withCharacter ? (
            <span className="muted fine">
              {of.character_name} <MemberTypeBadge memberType={of.member_type} />
            </span>
          ) : null}
          {badges}
        </p>
        <p className="muted fine tabular">
          <WhenText date={of.date} start={of.hour_start} end={of.hour_end} />
        </p>
        {children}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </li>
  );
}

type SpotLinkProps = Pick<MineRowProps['of'], 'respawn_id' | 'date' | 'first_date'>;

/** The spot's name, which leads to its card on the board where the board has that date. */
function SpotLink({ respawn_id, ...dates }: SpotLinkProps): ReactNode {
  const { t } = useTranslation();
  const { date } = dates;
  const { date: today } = useServerSaveTime();
  const name = useBoard((board) => board.byKind.respawn.get(respawn_id)?.name) ?? '';
  const isShown = isOnBoardDates(dates, useActiveEvent());
  if (!isShown) return <span className={styles.spot}>{name}</span>;
  return (
    <Link
      className={styles.spot}
      to={boardAddress(date, today)}
      state={shownSpot(respawn_id)}
      title={t('myClaims.show')}
    >
      {name}
    </Link>
  );
}

export interface MyClaims {
  /** All claims of this browser's characters, holds included. */
  claims: readonly OwnClaimRow[];
  /** The profile whose key acts on it. */
  profileOf: (of: { character_name: string }) => Profile | undefined;
  /** This browser has several characters, so name each one. */
  withCharacter: boolean;
}

export function useMyClaims(): MyClaims {
  const profiles = useSession((session) => session.profiles);
  const byKey = useMemo(
    () => new Map(profiles.map((profile) => [nameKey(profile.characterName), profile])),
    [profiles],
  );
  const claims = useBoard(useShallow((board) => claimsOfCharacters([...byKey.keys()], board)));
  return {
    claims,
    profileOf: ({ character_name }) => byKey.get(nameKey(character_name)),
    withCharacter: profiles.length > 1,
  };
}

/** A button that is disabled with a reason while the server can't be reached. */
export function OnlineButton({
  variant,
  small,
  children,
  'aria-label': label,
  ...rest
}: ButtonProps): ReactNode {
  const { t } = useTranslation();
  const isOffline = useBoard((board) => board.connection === 'offline');
  const look = { variant, small, children, 'aria-label': label };
  return isOffline ? (
    <BlockedButton {...look} reason={t('errors.network.failed')} />
  ) : (
    <Button {...look} {...rest} />
  );
}
