import { z } from 'zod';
import { eventCopied, eventCopy } from '../../../shared/schemas/event-copy.ts';
import {
  eventTemplate,
  eventTemplateInput,
  templateUse,
} from '../../../shared/schemas/event-template.ts';
import { idInPath } from '../../../shared/schemas/fields.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { copyEvent } from './event-copy.ts';
import {
  allEventTemplates,
  applyEventTemplate,
  createEventTemplate,
  deleteEventTemplate,
} from './templates.ts';

const route = routeFor<Writing>();

const params = z.object({ id: idInPath });

export const nextPeriodRoutes = [
  route(
    {
      method: 'post',
      path: '/admin/events/:id/copy',
      access: 'guild',
      summary:
        'Copy an event to new dates with its claims where possible; with `preview` only list the outcome',
      params,
      body: eventCopy,
      largeBody: true,
      answer: eventCopied,
    },
    ({ ctx, caller, params: { id }, body }) => copyEvent(ctx, caller, { ...body, id }),
  ),
  route(
    {
      method: 'get',
      path: '/admin/event-templates',
      access: 'dashboard',
      summary: 'List event templates',
      answer: z.array(eventTemplate),
    },
    ({ ctx }) => allEventTemplates(ctx.db),
  ),
  route(
    {
      method: 'post',
      path: '/admin/event-templates',
      access: 'guild',
      summary: 'Save an event as a template',
      body: eventTemplateInput,
      answer: eventTemplate,
      status: 201,
    },
    ({ ctx, caller, body }) => createEventTemplate(ctx, caller, body),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/event-templates/:id',
      access: 'guild',
      summary: 'Delete a template; its events are kept',
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => deleteEventTemplate(ctx, caller, id),
  ),
  route(
    {
      method: 'post',
      path: '/admin/event-templates/:id/apply',
      access: 'guild',
      summary: 'Create the next event of a template; with `preview` only list the outcome',
      params,
      body: templateUse,
      answer: eventCopied,
    },
    ({ ctx, caller, params: { id }, body }) => applyEventTemplate(ctx, caller, { ...body, id }),
  ),
];
