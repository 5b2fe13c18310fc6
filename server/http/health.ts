import { health } from '../../shared/schemas/health.ts';
import { type Route, route } from './route.ts';

export const healthRoutes: Route[] = [
  route(
    { method: 'get', path: '/admin/health', access: 'dashboard', summary: 'What an admin should know of the machine', answer: health },
    async ({ ctx }) => ({ problem: await ctx.storage.look() }),
  ),
];
