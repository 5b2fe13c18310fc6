import type { Feature } from '../../feature.ts';
import { directMessageListener, forgetDirectMessages } from './direct-messages.ts';
import { editDirect, sendDirect } from './direct-send.ts';
import { forgetInteractions } from './interactions.ts';
import { type DiscordContext, discordAppRoutes } from './routes.ts';

export const discordApp: Feature<DiscordContext> = {
  name: 'Discord app',
  routes: discordAppRoutes,
  jobs: [sendDirect, editDirect, forgetInteractions, forgetDirectMessages],
  listeners: [directMessageListener],
};
