import { z } from 'zod';
import type { AdminsKind, BoardKind, RecordByKind } from '../kinds.ts';
import { accessKey } from './access-key.ts';
import { activityEntry } from './activity.ts';
import { category } from './category.ts';
import { verifiedCode } from './character.ts';
import { claim } from './claim.ts';
import { config } from './config.ts';
import { destination } from './destination.ts';
import { event } from './event.ts';
import { eventTemplate } from './event-template.ts';
import { memberType } from './member-type.ts';
import { occupancy } from './occupancy.ts';
import { respawn } from './respawn.ts';
import { wait } from './wait.ts';

type Lists = { [K in BoardKind]: RecordByKind[K][] } & { [K in AdminsKind]?: RecordByKind[K][] };

/** Every record in the asker's scope, as lists by kind; the last five are for admins. */
const snapshot = z.object({
  claim: z.array(claim),
  respawn: z.array(respawn),
  category: z.array(category),
  member_type: z.array(memberType),
  event: z.array(event),
  config: z.array(config),
  wait: z.array(wait),
  occupancy: z.array(occupancy),
  access_key: z.array(accessKey).exactOptional(),
  verified_code: z.array(verifiedCode).exactOptional(),
  activity: z.array(activityEntry).exactOptional(),
  destination: z.array(destination).exactOptional(),
  event_template: z.array(eventTemplate).exactOptional(),
}) satisfies z.ZodType<Lists>;

/** The board at one clock of one history. */
export const wholeBoard = z.object({ clock: z.number().int().min(0), epoch: z.string(), snapshot });
export type WholeBoard = z.infer<typeof wholeBoard>;
