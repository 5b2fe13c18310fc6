import { z } from 'zod';
import { category, categoryInput } from '../../../shared/schemas/category.ts';
import { idInPath } from '../../../shared/schemas/fields.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { allCategories } from '../records/respawns.ts';
import { createCategory, deleteCategory, renameCategory } from './categories.ts';

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
    ({ ctx, caller, params: { id }, body }) => renameCategory(ctx, caller, { ...body, id }),
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
