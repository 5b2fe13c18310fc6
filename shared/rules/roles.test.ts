import { describe, expect, it } from 'vitest';
import {
  ADMIN_ROLES,
  type AdminRole,
  type Capability,
  isAdminRole,
  isCapability,
  may,
} from './roles.ts';

const permissions = (role: AdminRole): Capability[] =>
  (['dashboard', 'claims', 'guild', 'admins', 'system'] as const).filter((capability) =>
    may(role, capability),
  );

describe('what an admin may do', () => {
  it.each([
    ['owner', ['dashboard', 'claims', 'guild', 'admins', 'system']],
    ['admin', ['dashboard', 'claims', 'guild']],
    ['moderator', ['dashboard', 'claims']],
    ['viewer', ['dashboard']],
  ] as const)('as %s: %j', (role, capabilities) => {
    expect(permissions(role)).toEqual(capabilities);
  });
});

describe('names of roles and permissions', () => {
  it('are those of the table, and no property that every object has', () => {
    expect(ADMIN_ROLES.every(isAdminRole)).toBe(true);
    expect(['Owner', '', 'constructor', undefined, null, 1].some(isAdminRole)).toBe(false);
    expect(['dashboard', 'claims', 'guild', 'admins', 'system'].every(isCapability)).toBe(true);
    expect(['owner', '', 'constructor', 'toString'].some(isCapability)).toBe(false);
  });
});
