import { z } from 'zod';
import {
  memberType,
  memberTypeChange,
  memberTypeInPath,
  memberTypeInput,
} from '../../../shared/schemas/member-type.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { allMemberTypes } from '../records/members.ts';
import { createMemberType, deleteMemberType, updateMemberType } from './member-types.ts';

const memberTypeRoute = routeFor<Writing>();

const memberTypes = z.array(memberType);
const memberTypeParams = z.object({ type: memberTypeInPath });

export const memberTypeRoutes = [
  memberTypeRoute(
    {
      method: 'get',
      path: '/member-types',
      access: 'open',
      summary: 'List member types',
      answer: memberTypes,
    },
    ({ ctx }) => allMemberTypes(ctx.db),
  ),
  memberTypeRoute(
    {
      method: 'get',
      path: '/admin/member-types',
      access: 'dashboard',
      summary: 'List member types, for admins',
      answer: memberTypes,
    },
    ({ ctx }) => allMemberTypes(ctx.db),
  ),
  memberTypeRoute(
    {
      method: 'post',
      path: '/admin/member-types',
      access: 'guild',
      summary: 'Create a member type; only its name is required',
      body: memberTypeInput,
      answer: memberType,
      status: 201,
    },
    ({ ctx, caller, body }) => createMemberType(ctx, caller, body),
  ),
  memberTypeRoute(
    {
      method: 'put',
      path: '/admin/member-types/:type',
      access: 'guild',
      summary: 'Change the given fields of a member type',
      params: memberTypeParams,
      body: memberTypeChange,
      answer: memberType,
    },
    ({ ctx, caller, params: { type }, body }) =>
      updateMemberType(ctx, caller, { name: type, change: body }),
  ),
  memberTypeRoute(
    {
      method: 'delete',
      path: '/admin/member-types/:type',
      access: 'guild',
      summary: 'Delete a member type; keys and claims keep its name',
      params: memberTypeParams,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { type } }) => deleteMemberType(ctx, caller, type),
  ),
];
