import { z } from 'zod';
import { category, categoryInput } from '../../shared/schemas/category.ts';
import {
  config,
  configAnswer as configAnswerSchema,
  configChange,
} from '../../shared/schemas/config.ts';
import { idInPath } from '../../shared/schemas/fields.ts';
import {
  memberType,
  memberTypeChange,
  memberTypeInPath,
  memberTypeInput,
} from '../../shared/schemas/member-type.ts';
import { setup, setupChange } from '../../shared/schemas/setup.ts';
import { statistics, statisticsQuery } from '../../shared/schemas/statistics.ts';
import type { Writing } from '../db/unit-of-work.ts';

import { noAnswer, routeFor } from '../http/router.ts';
import { createCategory, deleteCategory, renameCategory } from './categories/categories.ts';
import { updateConfig } from './config/config.ts';
import { changeSetup, readSetup } from './config/setup.ts';
import {
  createMemberType,
  deleteMemberType,
  updateMemberType,
} from './member-types/member-types.ts';
import { configAnswer } from './records/guild.ts';
import { allMemberTypes } from './records/members.ts';
import { allCategories } from './records/respawns.ts';
import type { ReadStatistics } from './statistics/statistics.ts';

const configRoute = routeFor<Writing>();

export const configRoutes = [
  configRoute(
    {
      method: 'get',
      path: '/config',
      access: 'open',
      summary: "Read the board's settings",
      answer: configAnswerSchema,
      bare: true,
    },
    ({ ctx }) => configAnswer(ctx),
  ),
  configRoute(
    {
      method: 'put',
      path: '/admin/config',
      access: 'guild',
      summary:
        'Change the given settings: claim submission, waitlists, release, confirmation, guild name',
      body: configChange,
      answer: config,
    },
    ({ ctx, caller, body }) => updateConfig(ctx, caller, body),
  ),
  configRoute(
    {
      method: 'get',
      path: '/admin/setup',
      access: 'guild',
      summary: 'Read the skipped steps of the first-run checklist',
      answer: setup,
    },
    ({ ctx }) => readSetup(ctx.db),
  ),
  configRoute(
    {
      method: 'put',
      path: '/admin/setup',
      access: 'guild',
      summary: 'Skip or resume steps of the first-run checklist, or dismiss it, for all admins',
      body: setupChange,
      answer: setup,
    },
    ({ ctx, caller, body }) => changeSetup(ctx, caller, body),
  ),
];

const categoryRoute = routeFor<Writing>();

const categoryParams = z.object({ id: idInPath });

export const categoryRoutes = [
  categoryRoute(
    {
      method: 'get',
      path: '/categories',
      access: 'open',
      summary: 'List categories',
      answer: z.array(category),
    },
    ({ ctx }) => allCategories(ctx.db),
  ),
  categoryRoute(
    {
      method: 'post',
      path: '/categories',
      access: 'guild',
      summary: 'Add a category',
      body: categoryInput,
      answer: category,
      status: 201,
    },
    ({ ctx, caller, body }) => createCategory(ctx, caller, body),
  ),
  categoryRoute(
    {
      method: 'put',
      path: '/categories/:id',
      access: 'guild',
      summary: 'Rename a category',
      params: categoryParams,
      body: categoryInput,
      answer: category,
    },
    ({ ctx, caller, params: { id }, body }) => renameCategory(ctx, caller, id, body),
  ),
  categoryRoute(
    {
      method: 'delete',
      path: '/categories/:id',
      access: 'guild',
      summary: 'Delete a category; its respawns move to the default one',
      params: categoryParams,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => deleteCategory(ctx, caller, id),
  ),
];

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
    ({ ctx, caller, params: { type }, body }) => updateMemberType(ctx, caller, type, body),
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

const statisticsRoute = routeFor<{ readStatistics: ReadStatistics }>();

export const statisticsRoutes = [
  statisticsRoute(
    {
      method: 'get',
      path: '/statistics',
      access: 'reader',
      summary:
        'Read statistics of an event or a range of dates: hours, most wanted spots, no-shows',
      query: statisticsQuery,
      answer: statistics,
    },
    ({ ctx, query }) => ctx.readStatistics(query),
  ),
];
