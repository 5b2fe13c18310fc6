import { z } from 'zod';
import { destination, destinationInput, newDestination } from '../../shared/schemas/destination.ts';
import { type Route, route } from '../http/route.ts';
import { createDestination } from './operations.ts';
import { allDestinations } from './queries.ts';

export const destinationRoutes: Route[] = [
  route(
    { method: 'get', path: '/admin/destinations', access: 'admin', summary: 'Where news is sent to', answer: z.array(destination) },
    ({ ctx }) => allDestinations(ctx.db),
  ),
  route(
    {
      method: 'post',
      path: '/admin/destinations',
      access: 'admin',
      summary: 'Send news to an address, which is answered whole this once, as is the secret that webhooks are signed with',
      body: destinationInput,
      answer: newDestination,
      status: 201,
    },
    ({ ctx, caller, body }) => createDestination(ctx, caller, body),
  ),
];
