/** In descending order of rights. */
export const ADMIN_ROLES = ['owner', 'admin', 'moderator', 'viewer'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/**
 * Permissions of roles. `dashboard`: read all but keys and secrets. `claims`: claims and waitlists of any character, and undo
 * of them. `guild`: events, member types, keys, characters, spots, categories, settings,
 * channels, and undo of these. `admins`: manage admins. `system`: the machine and its backups. Routes, live
 * rooms and screens all use this table.
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

export const isAdminRole = (name: unknown): name is AdminRole =>
  ADMIN_ROLES.some((role) => role === name);
