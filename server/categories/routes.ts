import { z } from 'zod';
import { category } from '../../shared/schemas/category.ts';
import { type Route, route } from '../http/route.ts';
import { allCategories } from './queries.ts';

export const categoryRoutes: Route[] = [
  route({ method: 'get', path: '/categories', access: 'open', summary: 'All categories', answer: z.array(category) }, ({ ctx }) =>
    allCategories(ctx.db),
  ),
];
