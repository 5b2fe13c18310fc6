import { createContext, type ReactNode, useContext } from 'react';
import { usualColorOf } from '../../shared/rules/badge.ts';
import styles from './badge.module.css';
import { classes } from './classes.ts';
import { type TypeLook, typeLook } from './type-look.ts';

export interface MemberTypeBadgeProps {
  memberType: string;
  /** Instead of the one the type has: a colour being chosen in a form. */
  color?: string | undefined;
}

export function MemberTypeBadge({ memberType, color }: MemberTypeBadgeProps): ReactNode {
  const known = useMemberTypeColor(memberType);
  const background = color ?? known;
  const look = typeLook(memberType, background);
  return (
    <span
      className={classes(styles.badge, styles.type)}
      data-letter={look.letter}
      style={{ backgroundColor: look.ground, color: look.text }}
    >
      <span>{memberType}</span>
    </span>
  );
}

/** The colours of the member types there are; the app fills it from the board. */
export const MemberTypeColors = createContext<ReadonlyMap<string, string>>(new Map());

/** A member type's colour; for one that no longer exists the fallback. */
export function useMemberTypeColor(memberType: string): string {
  return useMemberTypeColors()(memberType);
}

function useMemberTypeColors(): (memberType: string) => string {
  const colors = useContext(MemberTypeColors);
  return (memberType) => colors.get(memberType) ?? usualColorOf(memberType);
}

export function useMemberTypeLooks(): (memberType: string) => TypeLook {
  const colorOf = useMemberTypeColors();
  return (memberType) => typeLook(memberType, colorOf(memberType));
}
