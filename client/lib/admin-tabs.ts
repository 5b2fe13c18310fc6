import { type AdminRole, type Capability, may } from '../../shared/rules/roles.ts';

/** The dashboard's tabs, in the specification's order; the first is open where the address names none. */
const ADMIN_TABS = [
  'events',
  'activity',
  'members',
  'keys',
  'verified',
  'claims',
  'respawns',
  'categories',
] as const;
export type AdminTab = (typeof ADMIN_TABS)[number];

/** The sections behind Settings; the address is the last part of `/admin/dashboard/settings/…`. */
const SETTINGS_SECTIONS = [
  'guild',
  'rules',
  'notifications',
  'admins',
  'import-export',
  'system',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** The capability that each needs; a tab's default is `dashboard`, a section's `guild`. */
const NEEDED: { readonly [P in AdminTab | SettingsSection]?: Capability } = {
  keys: 'guild',
  verified: 'guild',
  admins: 'admins',
  system: 'system',
};

/** Those that a role is shown. */
export const tabsFor = (role: AdminRole): AdminTab[] =>
  ADMIN_TABS.filter((tab) => may(role, NEEDED[tab] ?? 'dashboard'));
export const sectionsFor = (role: AdminRole): SettingsSection[] =>
  SETTINGS_SECTIONS.filter((section) => may(role, NEEDED[section] ?? 'guild'));

/** A tab or a section, as the end of its address. */
export type AdminPlace = AdminTab | `settings/${SettingsSection}`;
export const ADMIN_PLACES: readonly AdminPlace[] = [
  ...ADMIN_TABS,
  ...SETTINGS_SECTIONS.map((section) => `settings/${section}` as const),
];
export const placeAddress = (place: AdminPlace): string => `/admin/dashboard/${place}`;
export const memberAddress = (name: string): string =>
  `/admin/dashboard/member/${encodeURIComponent(name)}`;
