import type { Feature } from '../../feature.ts';
import { categoryRecords } from '../records/respawns.ts';
import { categoryUndo } from './categories.ts';
import { categoryRoutes } from './routes.ts';

export const categories: Feature = {
  name: 'categories',
  routes: categoryRoutes,
  records: { category: categoryRecords },
  undo: [categoryUndo],
};
