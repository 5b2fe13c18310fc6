import { z } from 'zod';
import { memberType, memberTypeChange, memberTypeInPath, memberTypeInput } from '../../../shared/schemas/member-type.ts';
import type { ServerSaveSettings } from '../../db/clock/server-save-clock.ts';
import type { LongReader } from '../../db/database.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { allMemberTypes } from '../records/member-types.ts';
import { createMemberType, deleteMemberType, updateMemberType } from './member-types.ts';

const route = routeFor<LongReader & Writer & ServerSaveSettings>();

const answer = z.array(memberType);
const params = z.object({ type: memberTypeInPath });

export const memberTypeRoutes = [
  route({ method: 'get', path: '/member-types', access: 'open', summary: 'All member types', answer }, ({ ctx }) => allMemberTypes(ctx.db)),
  route({ method: 'get', path: '/admin/member-types', access: 'dashboard', summary: 'All member types, for admins', answer }, ({ ctx }) =>
    allMemberTypes(ctx.db),
  ),
  route(
    {
      method: 'post',
      path: '/admin/member-types',
      access: 'guild',
      summary: 'Create a member type; only its name is needed',
      body: memberTypeInput,
      answer: memberType,
      status: 201,
    },
    ({ ctx, caller, body }) => createMemberType(ctx, caller, body),
  ),
  route(
    {
      method: 'put',
      path: '/admin/member-types/:type',
      access: 'guild',
      summary: 'Change the given fields of a member type',
      params,
      body: memberTypeChange,
      answer: memberType,
    },
    ({ ctx, caller, params: { type }, body }) => updateMemberType(ctx, caller, type, body),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/member-types/:type',
      access: 'guild',
      summary: 'Delete a member type; keys and claims keep its name',
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { type } }) => deleteMemberType(ctx, caller, type),
  ),
];
