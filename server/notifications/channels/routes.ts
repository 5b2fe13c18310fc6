import { z } from 'zod';
import {
  delivery,
  destination,
  destinationChange,
  destinationInput,
  newDestination,
  rotatedSecret,
  testAnswer,
} from '../../../shared/schemas/destination.ts';
import { idInPath } from '../../../shared/schemas/fields.ts';
import type { Subscriptions } from '../../db/domain-events.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Settings } from '../../env.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { listChannels } from './channel.ts';
import { createChannel, deleteChannel, existingChannel, rotateSecret, type Testing, testChannel, updateChannel } from './operations.ts';
import { lastAttempts } from './send.ts';

const route = routeFor<Testing & Writer & Settings & Subscriptions>();

const params = z.object({ id: idInPath });

export const channelRoutes = [
  route(
    { method: 'get', path: '/admin/destinations', access: 'guild', summary: 'Where news is sent to', answer: z.array(destination) },
    ({ ctx }) => listChannels(ctx.db),
  ),
  route(
    {
      method: 'post',
      path: '/admin/destinations',
      access: 'guild',
      summary: 'Send news to an address, which is answered whole this once, as is the secret that webhooks are signed with',
      body: destinationInput,
      answer: newDestination,
      status: 201,
    },
    ({ ctx, caller, body }) => createChannel(ctx, caller, body),
  ),
  route(
    {
      method: 'put',
      path: '/admin/destinations/:id',
      access: 'guild',
      summary: 'Change the fields that are given; switched on again it hears what comes from then on',
      params,
      body: destinationChange,
      answer: destination,
    },
    ({ ctx, caller, params: { id }, body }) => updateChannel(ctx, caller, id, body),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/destinations/:id',
      access: 'guild',
      summary: 'Send an address nothing any more',
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => deleteChannel(ctx, caller, id),
  ),
  route(
    {
      method: 'post',
      path: '/admin/destinations/:id/rotate-secret',
      access: 'guild',
      summary: 'Give a webhook another secret; for a day messages are signed with the old one, too',
      params,
      answer: rotatedSecret,
    },
    ({ ctx, caller, params: { id } }) => rotateSecret(ctx, caller, id),
  ),
  route(
    {
      method: 'post',
      path: '/admin/destinations/:id/test',
      access: 'guild',
      summary: 'Send a test message at once, and tell how it fared',
      params,
      answer: testAnswer,
    },
    ({ ctx, params: { id } }) => testChannel(ctx, id),
  ),
  route(
    {
      method: 'get',
      path: '/admin/destinations/:id/deliveries',
      access: 'guild',
      summary: 'How the last tries to send news there fared, the newest first',
      params,
      answer: z.array(delivery),
    },
    async ({ ctx, params: { id } }) => {
      await existingChannel(ctx.db, id);
      return lastAttempts(ctx.db, id);
    },
  ),
];
