/** The dashboard's tabs, in their order; the first is open where the address names none. */
export const ADMIN_TABS = [
  'events',
  'activity',
  'members',
  'keys',
  'verified',
  'claims',
  'respawns',
  'categories',
  'notifications',
  'system',
] as const;
export type AdminTab = (typeof ADMIN_TABS)[number];
