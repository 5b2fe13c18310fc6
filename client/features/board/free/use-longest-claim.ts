import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';

/** Where the configuration has not come yet. */
const DEFAULT_HOURS = 4;

/** The longest claim that the viewer may make, in hours; of an admin who claims for others any type's. */
export function useLongestClaim(): number {
  const memberType = useSession((session) => session.current?.memberType ?? null);
  return useBoard(({ byKind }) => {
    const usual = byKind.config.get(CONFIG_ID)?.voucher_duration_hours ?? DEFAULT_HOURS;
    if (memberType !== null) return byKind.member_type.get(memberType)?.voucher_duration_hours ?? usual;
    return Math.max(usual, ...[...byKind.member_type.values()].map((type) => type.voucher_duration_hours));
  });
}
