import { z } from 'zod';
import { eventCopied, eventCopy } from '../../../shared/schemas/event-copy.ts';
import { eventTemplate, eventTemplateInput, templateUse } from '../../../shared/schemas/event-template.ts';
import { idInPath } from '../../../shared/schemas/fields.ts';
import type { Reader } from '../../db/database.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { type CopyContext, copyEvent } from './event-copy.ts';
import { allEventTemplates, applyEventTemplate, createEventTemplate, deleteEventTemplate } from './templates.ts';

const route = routeFor<Reader & CopyContext>();

const params = z.object({ id: idInPath });

export const nextPeriodRoutes = [
  route(
    {
      method: 'post',
      path: '/admin/events/:id/copy',
      access: 'guild',
      summary: 'Make the next event of one, with those of its claims that may come along; or tell what that would be',
      params,
      body: eventCopy,
      largeBody: true,
      answer: eventCopied,
    },
    ({ ctx, caller, params: { id }, body }) => copyEvent(ctx, caller, id, body),
  ),
  route(
    {
      method: 'get',
      path: '/admin/event-templates',
      access: 'dashboard',
      summary: 'What events are made of again and again',
      answer: z.array(eventTemplate),
    },
    ({ ctx }) => allEventTemplates(ctx.db),
  ),
  route(
    {
      method: 'post',
      path: '/admin/event-templates',
      access: 'guild',
      summary: 'Keep what events like one are made of',
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
      summary: 'Forget a template; what it made stays',
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
      summary: 'Make the next event of a template; or tell what that would be',
      params,
      body: templateUse,
      answer: eventCopied,
    },
    ({ ctx, caller, params: { id }, body }) => applyEventTemplate(ctx, caller, id, body),
  ),
];
