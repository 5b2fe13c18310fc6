import { z } from 'zod';
import { existing } from '../../../shared/errors.ts';
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
import { noAnswer, routeFor } from '../../http/router.ts';
import type { Sending } from '../outbound/post.ts';
import { findChannel, listChannels } from './channel.ts';
import {
  createChannel,
  deleteChannel,
  rotateSecret,
  testChannel,
  updateChannel,
} from './operations.ts';
import { lastAttempts } from './send.ts';

const route = routeFor<Sending>();

const params = z.object({ id: idInPath });

export const channelRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/destinations',
      access: 'guild',
      summary: 'List notification channels',
      answer: z.array(destination),
    },
    ({ ctx }) => listChannels(ctx.db),
  ),
  route(
    {
      method: 'post',
      path: '/admin/destinations',
      access: 'guild',
      summary:
        'Create a notification channel; its full address and signing secret are returned only here',
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
      summary: 'Change the given fields of a channel; a resumed one gets only later events',
      params,
      body: destinationChange,
      answer: destination,
    },
    ({ ctx, caller, params: { id }, body }) => updateChannel(ctx, caller, { ...body, id }),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/destinations/:id',
      access: 'guild',
      summary: 'Delete a notification channel',
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
      summary: "Replace a webhook's secret; the old one also signs messages for a day",
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
      summary: 'Send a test message and return its outcome',
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
      summary: 'List the last delivery attempts of a channel, newest first',
      params,
      answer: z.array(delivery),
    },
    async ({ ctx, params: { id } }) => {
      existing(await findChannel(ctx.db, id), 'destination.notFound');
      return lastAttempts(ctx.db, id);
    },
  ),
];
