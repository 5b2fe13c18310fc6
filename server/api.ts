import { activityRoutes } from './activity/routes.ts';
import type { UndoHandlers } from './activity/undo.ts';
import { adminRoutes } from './auth/admins/routes.ts';
import { sessionRoutes } from './auth/routes.ts';
import { archiveRoutes } from './board/archive/routes.ts';
import { categoryUndo } from './board/categories/categories.ts';
import { categoryRoutes } from './board/categories/routes.ts';
import { endingRoutes } from './board/claim-history/routes.ts';
import { claimRoutes } from './board/claims/routes.ts';
import { configRoutes } from './board/config/routes.ts';
import { nextPeriodRoutes } from './board/event-copy/routes.ts';
import { claimUndo } from './board/events/restore.ts';
import { eventRoutes } from './board/events/routes.ts';
import { memberTypeUndo } from './board/member-types/member-types.ts';
import { memberTypeRoutes } from './board/member-types/routes.ts';
import { boardRoutes } from './board/respawns/board-routes.ts';
import { respawnUndo } from './board/respawns/restore.ts';
import { respawnRoutes } from './board/respawns/routes.ts';
import { statisticsRoutes } from './board/statistics/routes.ts';
import { isPassedOver, passOverAnew } from './board/waitlist/quiet.ts';
import { waitRoutes } from './board/waitlist/routes.ts';
import { healthRoutes } from './http/health.ts';
import type { Route } from './http/route.ts';
import { liveRoutes } from './live/routes.ts';
import { importRoutes } from './members/import/routes.ts';
import { memberUndo } from './members/restore.ts';
import { accessKeyRoutes, characterRoutes } from './members/routes.ts';
import { calendarRoutes } from './notifications/calendar/routes.ts';
import { channelRoutes } from './notifications/channels/routes.ts';
import { pushRoutes } from './notifications/push/routes.ts';
import { clientErrorRoutes } from './ops/client-errors/routes.ts';
import { systemRoutes } from './ops/doctor/routes.ts';
import { RECORD_SOURCES } from './record-kinds.ts';

/** How each feature restores what an admin undoes, in the order of restoring: categories before the spots in them. */
const UNDO_HANDLERS: UndoHandlers = { claims: claimUndo, records: [categoryUndo, memberTypeUndo, respawnUndo, memberUndo] };

/** All routes of the API. The board's come first: Express tries them in this order, and every open page asks for them all the time. */
export function apiRoutes(): Route[] {
  return [
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
    ...adminRoutes,
    ...endingRoutes,
    ...statisticsRoutes,
    ...accessKeyRoutes,
    ...activityRoutes(UNDO_HANDLERS),
    ...archiveRoutes,
    ...nextPeriodRoutes,
    ...importRoutes,
    ...calendarRoutes,
    ...channelRoutes,
    ...pushRoutes({ isSkipped: isPassedOver, onChange: passOverAnew }),
    ...healthRoutes,
    ...systemRoutes,
    ...clientErrorRoutes,
  ];
}
