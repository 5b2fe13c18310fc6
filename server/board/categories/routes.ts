import { z } from 'zod';
import { category, categoryInput } from '../../../shared/schemas/category.ts';
import { idInPath } from '../../../shared/schemas/fields.ts';
import type { LongReader } from '../../db/database.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { allCategories } from '../records/categories.ts';
import { createCategory, deleteCategory, renameCategory } from './categories.ts';

const route = routeFor<LongReader & Writer>();

const params = z.object({ id: idInPath });
const body = categoryInput;
const answer = category;

export const categoryRoutes = [
  route({ method: 'get', path: '/categories', access: 'open', summary: 'All categories', answer: z.array(category) }, ({ ctx }) =>
    allCategories(ctx.db),
  ),
  route(
    { method: 'post', path: '/categories', access: 'guild', summary: 'Add a category', body, answer, status: 201 },
    ({ ctx, caller, body }) => createCategory(ctx, caller, body),
  ),
  route(
    { method: 'put', path: '/categories/:id', access: 'guild', summary: 'Rename a category', params, body, answer },
    ({ ctx, caller, params: { id }, body }) => renameCategory(ctx, caller, id, body),
  ),
  route(
    {
      method: 'delete',
      path: '/categories/:id',
      access: 'guild',
      summary: 'Delete a category; its respawns move to the default one',
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => deleteCategory(ctx, caller, id),
  ),
];
