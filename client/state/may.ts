import { type Capability, may } from '../../shared/rules/roles.ts';
import { useSession } from './session-store.ts';

/** Whether an admin is signed in whose role may do this. The server asks the same table. */
export const useMay = (capability: Capability): boolean => useSession(({ admin }) => admin !== null && may(admin.role, capability));
