import type { ReactNode } from 'react';
import { badgeTextColor } from '../../shared/rules/badge.ts';
import styles from './badge.module.css';
import { classes } from './classes.ts';
import { useMemberTypeColor } from './member-type-colors.ts';
import { readableShade } from './readable-shade.ts';

export interface MemberTypeBadgeProps {
  memberType: string;
  /** Instead of the one the type has: a colour being chosen in a form. */
  color?: string | undefined;
}

export function MemberTypeBadge({ memberType, color }: MemberTypeBadgeProps): ReactNode {
  const known = useMemberTypeColor(memberType);
  const background = color ?? known;
  const text = badgeTextColor(background);
  return (
    <span className={classes(styles.badge, styles.type)} style={{ backgroundColor: readableShade(background, text), color: text }}>
      <span>{memberType}</span>
    </span>
  );
}
