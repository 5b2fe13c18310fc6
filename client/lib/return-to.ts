import type { Path } from 'react-router-dom';

/** The page requested before login. It is kept in the history state, so that no link from elsewhere can set it. */
export interface ReturnTo {
  return_to: string;
}

/** Only pages that are for those who are signed in. */
const PAGES = /^\/(admin\/dashboard|admin\/input|mine|notifications|statistics)(?=[/?]|$)/;

export const returnTo = ({ pathname, search }: Pick<Path, 'pathname' | 'search'>): ReturnTo => ({
  return_to: pathname + search,
});

/** @returns null without a valid address of ours */
export function returnToIn(state: unknown): string | null {
  if (
    typeof state !== 'object' ||
    state === null ||
    !('return_to' in state) ||
    typeof state.return_to !== 'string'
  )
    return null;
  return PAGES.test(state.return_to) ? state.return_to : null;
}
