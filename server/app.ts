import path from 'node:path';
import express, { type Router } from 'express';
import { DomainError } from '../shared/errors.ts';
import { activityRoutes } from './activity/routes.ts';
import type { UndoHandlers } from './activity/undo.ts';
import { adminRoutes, sessionRoutes } from './auth/routes.ts';
import { archiveRoutes } from './board/archive/routes.ts';
import { catalogueDir } from './board/catalogue/catalogue.ts';
import { categoryUndo } from './board/categories/categories.ts';
import { endingRoutes } from './board/claim-history/routes.ts';
import { editUndo } from './board/claims/edit-undo.ts';
import { claimRoutes } from './board/claims/routes.ts';
import { nextPeriodRoutes } from './board/event-copy/routes.ts';
import { claimUndo } from './board/events/restore.ts';
import { eventRoutes } from './board/events/routes.ts';
import {
  categoryRoutes,
  configRoutes,
  memberTypeRoutes,
  statisticsRoutes,
} from './board/guild-routes.ts';
import { memberTypeUndo } from './board/member-types/member-types.ts';
import { boardRoutes } from './board/respawns/board-routes.ts';
import { servePictures } from './board/respawns/pictures.ts';
import { respawnUndo } from './board/respawns/restore.ts';
import { respawnRoutes } from './board/respawns/routes.ts';
import { standingUndo } from './board/standing/restore.ts';
import { standingRoutes } from './board/standing/routes.ts';
import { moveUndo } from './board/transfers/reassign.ts';
import { transferRoutes } from './board/transfers/routes.ts';
import { isSkippedForQuietHours, recheckQuietHours } from './board/waitlist/deadlines.ts';
import { withdrawOffers } from './board/waitlist/entries.ts';
import { waitUndo } from './board/waitlist/restore.ts';
import { waitRoutes } from './board/waitlist/routes.ts';
import type { Writing } from './db/unit-of-work.ts';

import { RECORD_SOURCES } from './features.ts';
import type { RouterContext } from './http/router.ts';
import { liveRoutes } from './live/routes.ts';
import { importRoutes } from './members/import/routes.ts';
import { memberUndo } from './members/restore.ts';
import { accessKeyRoutes, characterRoutes } from './members/routes.ts';
import { calendarRoutes, serveCalendars } from './notifications/calendar/routes.ts';
import { channelUndo } from './notifications/channels/restore.ts';
import { channelRoutes } from './notifications/channels/routes.ts';
import { discordAppRoutes } from './notifications/discord-app/routes.ts';
import { pushRoutes } from './notifications/push/routes.ts';
import { clientErrorRoutes, systemRoutes } from './ops/routes.ts';

/** How each feature restores what an admin undoes, in the order of restoring: categories before the spots in them. */
const UNDO_HANDLERS: UndoHandlers = {
  claims: claimUndo,
  records: [
    categoryUndo,
    memberTypeUndo,
    respawnUndo,
    memberUndo,
    moveUndo,
    editUndo(withdrawOffers),
    standingUndo,
    channelUndo,
    waitUndo,
  ],
};

/** All routes under /api. Express tries them in this order, so the board's come first: every open page polls them. */
export const routes = [
  ...boardRoutes,
  ...configRoutes,
  ...liveRoutes(RECORD_SOURCES),
  ...respawnRoutes,
  ...eventRoutes,
  ...categoryRoutes,
  ...memberTypeRoutes,
  ...sessionRoutes,
  ...characterRoutes,
  ...claimRoutes,
  ...waitRoutes,
  ...standingRoutes,
  ...transferRoutes,
  ...adminRoutes,
  ...endingRoutes,
  ...calendarRoutes,
  ...statisticsRoutes,
  ...accessKeyRoutes,
  ...activityRoutes(UNDO_HANDLERS),
  ...archiveRoutes,
  ...nextPeriodRoutes,
  ...importRoutes,
  ...channelRoutes,
  ...pushRoutes({ isSkipped: isSkippedForQuietHours, onChange: recheckQuietHours }),
  ...discordAppRoutes,
  ...systemRoutes,
  ...clientErrorRoutes,
];

/** Mounts what is served outside /api and changes while the server runs: calendars, uploaded pictures and the catalogue's. */
export function mountDownloads(router: Router, ctx: Writing & RouterContext): void {
  router.get('/calendar/:token.ics', serveCalendars(ctx));
  router.use('/calendar', () => {
    throw new DomainError('request.notFound');
  });
  router.get('/assets/respawns/:name', servePictures(ctx));
  router.use(
    '/assets/respawns',
    express.static(path.join(catalogueDir(), 'images'), { maxAge: '7d', etag: true }),
  );
}
