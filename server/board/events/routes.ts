import { z } from 'zod';
import { existing } from '../../../shared/errors.ts';
import { claimRow } from '../../../shared/schemas/claim.ts';
import {
  activation,
  activationAnswer,
  event,
  eventChange,
  newEvent,
} from '../../../shared/schemas/event.ts';
import { datedPageQuery, idInPath, pageQuery } from '../../../shared/schemas/fields.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { answerPage, tellTotal } from '../../http/paging.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { pageOfClaims } from '../claims/claim-records.ts';
import { activeEvent, allEvents, countEvents, findEvent } from '../records/guild.ts';
import {
  createEvent,
  deleteEvent,
  previewActivation,
  setEventActive,
  updateEvent,
} from './events.ts';

const route = routeFor<Writing>();

const params = z.object({ id: idInPath });

export const eventRoutes = [
  route(
    {
      method: 'get',
      path: '/events',
      access: 'dashboard',
      summary: 'List events, latest start first',
      query: pageQuery,
      answer: z.array(event),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countEvents(ctx.longReads));
      return allEvents(ctx.db, query);
    },
  ),
  route(
    {
      method: 'get',
      path: '/events/active',
      access: 'open',
      summary: 'Read the active event; 404 if there is none',
      answer: event,
    },
    async ({ ctx }) => {
      const active = existing(await activeEvent(ctx.db), 'event.noneActive');
      return active;
    },
  ),
  route(
    {
      method: 'get',
      path: '/events/:id/claims',
      access: 'reader',
      summary: "List an event's claims in order of creation; a page counts a split claim once",
      params,
      query: datedPageQuery,
      answer: z.array(claimRow),
    },
    async ({ ctx, params: { id }, query, res }) => {
      existing(await findEvent(ctx.db, id), 'event.notFound');
      return answerPage(res, query, pageOfClaims(ctx, { type: 'event', event_id: id }, query));
    },
  ),
  route(
    {
      method: 'post',
      path: '/events',
      access: 'guild',
      summary: 'Create an event, and activate it with `activate`',
      body: newEvent,
      answer: event,
      status: 201,
    },
    ({ ctx, caller, body }) => createEvent(ctx, caller, body),
  ),
  route(
    {
      method: 'put',
      path: '/events/:id',
      access: 'guild',
      summary: 'Change the given fields of an event',
      params,
      body: eventChange,
      answer: event,
    },
    ({ ctx, caller, params: { id }, body }) => updateEvent(ctx, caller, { ...body, id }),
  ),
  route(
    {
      method: 'delete',
      path: '/events/:id',
      access: 'guild',
      summary: 'Delete an event with its claims',
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => deleteEvent(ctx, caller, id),
  ),
  route(
    {
      method: 'post',
      path: '/events/:id/activate',
      access: 'guild',
      summary:
        'Activate an event; another active one is deactivated. Claims outside the event that fit into it can become its own',
      params,
      body: activation,
      answer: event,
    },
    ({ ctx, caller, params: { id }, body }) =>
      setEventActive(ctx, caller, { ...body, id, active: true }),
  ),
  route(
    {
      method: 'get',
      path: '/events/:id/activation',
      access: 'dashboard',
      summary:
        "Count the upcoming claims within an event's dates that are of another event or of none, and those that fit into it",
      params,
      answer: activationAnswer,
    },
    ({ ctx, params: { id } }) => previewActivation(ctx, id),
  ),
  route(
    {
      method: 'post',
      path: '/events/:id/deactivate',
      access: 'guild',
      summary: 'Deactivate an event',
      params,
      answer: event,
    },
    ({ ctx, caller, params: { id } }) => setEventActive(ctx, caller, { id, active: false }),
  ),
];
