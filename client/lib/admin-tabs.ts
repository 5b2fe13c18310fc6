import { type AdminRole, type Capability, may } from '../../shared/rules/roles.ts';

/** The dashboard's tabs, in their order; the first is open where the address names none. */
const ADMIN_TABS = [
  'events',
  'activity',
  'members',
  'keys',
  'verified',
  'claims',
  'respawns',
  'categories',
  'notifications',
  'admins',
  'system',
] as const;
export type AdminTab = (typeof ADMIN_TABS)[number];

/** The capability that a tab needs; the default is `dashboard`. */
const NEEDED: { readonly [T in AdminTab]?: Capability } = {
  keys: 'guild',
  verified: 'guild',
  notifications: 'guild',
  admins: 'admins',
  system: 'system',
};

/** Those that a role is shown. */
export const tabsFor = (role: AdminRole): AdminTab[] => ADMIN_TABS.filter((tab) => may(role, NEEDED[tab] ?? 'dashboard'));
