import { useEffect } from 'react';
import type { MemberType } from '../../shared/schemas/member-type.ts';
import { getAdminMemberTypes, getMemberTypes } from '../api/calls.ts';
import { applyMemberTypes } from '../state/board-store.ts';
import { useSession } from '../state/session-store.ts';

/** As an admin; where that fails, or no admin is signed in, as everyone may. */
async function readMemberTypes(): Promise<MemberType[]> {
  if (!useSession.getState().admin) return getMemberTypes();
  return getAdminMemberTypes().catch(() => getMemberTypes());
}

/** Reads the member types when a page of admins opens, for a board without the live connection. */
export function useReadMemberTypes(): void {
  useEffect(() => {
    readMemberTypes().then(applyMemberTypes, (error) => {
      // biome-ignore lint/suspicious/noConsole: section 8 of the specification, "logged or shown"; the page shows the types it knows
      console.warn(new Error('Failed to fetch member types', { cause: error }));
    });
  }, []);
}
