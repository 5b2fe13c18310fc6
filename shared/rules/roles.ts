/** What an admin may be, the mightiest first. */
export const ADMIN_ROLES = ['owner', 'admin', 'moderator', 'viewer'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/**
 * Who may do what. `dashboard`: read whatever of it is no key and no secret. `claims`: claims and waits for anybody, and undo
 * what was done to them. `guild`: events, member types, keys and who has them, characters, spots, categories, settings,
 * destinations, and the undo of these. `admins`: who else is one. `system`: the machine and its backups. The routes, the live
 * rooms and the screens ask here and nowhere else.
 */
export const CAPABILITIES = {
  dashboard: ['owner', 'admin', 'moderator', 'viewer'],
  claims: ['owner', 'admin', 'moderator'],
  guild: ['owner', 'admin'],
  admins: ['owner'],
  system: ['owner'],
} as const satisfies Readonly<Record<string, readonly AdminRole[]>>;
export type Capability = keyof typeof CAPABILITIES;

export const isCapability = (name: string): name is Capability => Object.hasOwn(CAPABILITIES, name);

export function may(role: AdminRole, capability: Capability): boolean {
  const roles: readonly AdminRole[] = CAPABILITIES[capability];
  return roles.includes(role);
}

export const isAdminRole = (name: unknown): name is AdminRole => ADMIN_ROLES.some((role) => role === name);
