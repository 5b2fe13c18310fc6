import { sql } from 'kysely';
import type { Feature } from '../../feature.ts';
import { sendBy } from '../notices/send.ts';
import type { DiscordContext } from './context.ts';
import { directMedium } from './direct-medium.ts';
import { directMessageListener, editDirect, forgetDirectMessages } from './direct-messages.ts';
import { forgetInteractions } from './interactions.ts';
import { endLinksOfFormerMembers } from './links.ts';
import { discordAppRoutes } from './routes.ts';

export const discordApp: Feature<DiscordContext> = {
  name: 'Discord app',
  routes: discordAppRoutes,
  jobs: [sendBy(directMedium), editDirect, forgetInteractions, forgetDirectMessages],
  hooks: [endLinksOfFormerMembers],
  listeners: [directMessageListener],
  media: [directMedium],
  configFlags: { has_discord_app: () => sql`(select count(*) from discord_app)` },
};
