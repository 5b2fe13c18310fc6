import { sql } from 'kysely';
import type { SignInContext } from '../../auth/signed-in.ts';
import type { Feature } from '../../feature.ts';
import { deleteOld } from '../../jobs/job-kind.ts';
import type { DiscordContext } from '../discord-app/context.ts';
import { discordSignInRoutes } from './routes.ts';
import { STATE_MS } from './state.ts';

/** Past its own time, a ticket remembers the state that led to it for as long as that is valid. */
const forgetTokens = deleteOld({
  kind: 'discord.forget-sign-ins',
  table: 'discord_sign_in_tokens',
  column: 'expires_at',
  key: 'token_hash',
  kept_days: STATE_MS / 86_400_000,
});

export const discordSignIn: Feature<DiscordContext & SignInContext> = {
  name: 'Discord sign-in',
  routes: discordSignInRoutes,
  jobs: [forgetTokens],
  configFlags: {
    has_discord_sign_in: ({ PUBLIC_URL }) =>
      PUBLIC_URL === undefined
        ? sql`0`
        : sql`(select count(*) from discord_sign_in
            join discord_app on discord_app.application_id = discord_sign_in.application_id)`,
  },
};
