import { createContext, useContext } from 'react';
import { FALLBACK_COLOR, MEMBER_TYPE_COLORS } from '../../shared/rules/badge.ts';

/** The colours of the member types there are; the app fills it from the board. */
export const MemberTypeColors = createContext<ReadonlyMap<string, string>>(new Map());

/** A member type's colour; for one that no longer exists the fallback. */
export function useMemberTypeColor(memberType: string): string {
  return useMemberTypeColors()(memberType);
}

/** As `useMemberTypeColor`, for several types at once. */
export function useMemberTypeColors(): (memberType: string) => string {
  const colors = useContext(MemberTypeColors);
  return (memberType) => colors.get(memberType) ?? MEMBER_TYPE_COLORS[memberType] ?? FALLBACK_COLOR;
}
