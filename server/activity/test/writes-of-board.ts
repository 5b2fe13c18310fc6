import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { hashToken } from '../../auth/sessions.ts';
import {
  aClaim,
  aDestination,
  aKey,
  aMemberType,
  aName,
  anActiveEvent,
  anEvent,
  aRespawn,
  asMember,
  aWait,
  changeUnheard,
  submitAsAdmin,
  submitted,
  waitFor,
} from '../../dev/test/builders.ts';
import { aGif } from '../../dev/test/gifs.ts';
import type { TestApp } from '../../dev/test/test-app.ts';
import { notifyingJobsOf } from '../../feature.ts';
import { features } from '../../features.ts';
import {
  aCommand,
  CLIENT_SECRET,
  type Discord,
  interact,
  setUp as setUpDiscord,
  startDiscord,
  THORA,
} from '../../notifications/discord-app/test/stand-in.ts';
import { pauseNotifications } from '../../notifications/pause.ts';
import { latest } from './undo.ts';
import { admin, type Write } from './write.ts';

async function aStoredClaim(app: TestApp) {
  const key = await aKey(app);
  const respawn = await aRespawn(app);
  const [claim] = await submitted(app, key, aClaim(key, { respawn_id: respawn.id }));
  return { id: claim?.id, respawn_id: respawn.id };
}
/** A claim's entry in the claim history, as if it had not been confirmed. */
async function aNoShow(app: TestApp): Promise<{ id: number }> {
  const { id } = await aStoredClaim(app);
  await admin(app, `delete /admin/claims/${id}`).expect(200);
  return changeUnheard(app, (tx) =>
    tx
      .updateTable('claim_endings')
      .set({ reason: 'no_show', ended_by: null })
      .where('claim_id', '=', id ?? 0)
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
}
/** A wait whose hours came free. */
async function anOffer(app: TestApp) {
  const { id, respawn_id } = await aStoredClaim(app);
  const wait = await aWait(app, await aKey(app), { respawn_id });
  await admin(app, `delete /admin/claims/${id}`).expect(200);
  return wait;
}
/** A standing claim of an admin for a character without a key. */
async function aStandingOfAdmin(app: TestApp) {
  await admin(app, 'put /admin/config', { standing_enabled: 1 }).expect(200);
  const input = {
    respawn_id: (await aRespawn(app)).id,
    weekdays: [2],
    hour_start: 10,
    hour_end: 14,
    character_name: aName(),
  };
  const state = () => admin(app, 'post /standing', input);
  return {
    input,
    state,
    id: async (): Promise<number> => (await state().expect(201)).body.data.id,
  };
}
/** A claim of a member, in a guild whose members may transfer claims. */
async function aTransferable(app: TestApp) {
  await admin(app, 'put /admin/config', { transfers_enabled: 1 }).expect(200);
  const key = await aKey(app);
  const respawn = await aRespawn(app);
  const [claim] = await submitted(app, key, aClaim(key, { respawn_id: respawn.id }));
  return { key, id: claim?.id };
}
async function aTransfer(app: TestApp): Promise<{ to: AccessKey; id: number }> {
  const { key, id } = await aTransferable(app);
  const to = await aKey(app);
  const { body } = await app.api
    .post(`/claims/${id}/handover`)
    .set(asMember(key))
    .send({ to: to.character_name })
    .expect(201);
  return { to, id: body.data.id };
}
async function aCategory(app: TestApp): Promise<number> {
  return (await admin(app, 'post /categories', { name: aName('Category') }).expect(201)).body.data
    .id;
}

/** Switched off, so that no edit is stored. */
const DISCORD_CHANNEL = {
  kind: 'discord',
  url: 'https://discord.com/api/webhooks/1/abc',
  is_enabled: 0,
} as const;

async function aDiscordApp(app: TestApp): Promise<Discord> {
  const discord = await startDiscord();
  app.ctx.post = async () => ({ ok: false, error: 'unreachable' });
  await setUpDiscord(app, discord).expect(200);
  return discord;
}

/** As Discord's callback stores it. */
/** The cookie of the browser that began a sign-in. */
const BROWSER = 'b'.repeat(22);

async function aSignInToken(app: TestApp, kind: 'ticket' | 'connect'): Promise<string> {
  const token = aName(kind);
  await app.ctx.writes.transaction(async (tx) => {
    const expires_at = new Date(app.ctx.now().getTime() + 60_000).toISOString();
    const user = { discord_user_id: THORA.id, discord_name: 'Thora', discord_language: null };
    const token_hash = hashToken(kind === 'ticket' ? `${token}.${BROWSER}` : token);
    const row = { token_hash, kind, state_hash: null, ...user, expires_at };
    await tx.insertInto('discord_sign_in_tokens').values(row).execute();
  });
  return token;
}

/** A key with a code, and the command that uses the code. */
async function aLinking(app: TestApp) {
  const discord = await aDiscordApp(app);
  const key = await aKey(app);
  const { code } = (await app.api.post('/discord/link-code').set(asMember(key)).expect(201)).body
    .data;
  return { key, link: () => interact(app, discord, aCommand('link', { code })) };
}

/** Claims, events and what admins set up. */
export const writesOfBoard: Record<string, Write> = {
  'post /claims': {
    owes: 'claim_created',
    make: async (app) => {
      const respawn_id = (await aRespawn(app)).id;
      return () =>
        submitAsAdmin(app, 'member', aClaim({ character_name: aName() }, { respawn_id }));
    },
  },
  'post /admin/endings/:id/excuse': {
    owes: 'no_show_excused',
    make: async (app) => {
      const { id } = await aNoShow(app);
      return () => admin(app, `post /admin/endings/${id}/excuse`);
    },
  },
  'post /waits': {
    owes: 'wait_created',
    make: async (app) => {
      const { respawn_id } = await aStoredClaim(app);
      const key = await aKey(app);
      return () => waitFor(app, key, { respawn_id });
    },
  },
  'delete /waits/:id': {
    owes: 'wait_withdrawn',
    make: async (app) => {
      const { id } = await anOffer(app);
      return () => admin(app, `delete /waits/${id}`);
    },
  },
  'post /waits/:id/accept': {
    owes: 'hold_accepted',
    make: async (app) => {
      const { id } = await anOffer(app);
      return () => admin(app, `post /waits/${id}/accept`);
    },
  },
  'post /waits/:id/decline': {
    owes: 'hold_declined',
    make: async (app) => {
      const { id } = await anOffer(app);
      return () => admin(app, `post /waits/${id}/decline`);
    },
  },
  'post /standing': {
    owes: 'standing_created',
    make: async (app) => (await aStandingOfAdmin(app)).state,
  },
  'post /standing/preview': {
    owes: null,
    make: async (app) => {
      const { input } = await aStandingOfAdmin(app);
      return () => admin(app, 'post /standing/preview', input);
    },
  },
  'put /standing/:id': {
    owes: 'standing_updated',
    changed: ['weekdays', 'is_paused'],
    make: async (app) => {
      const id = await (await aStandingOfAdmin(app)).id();
      return () => admin(app, `put /standing/${id}`, { weekdays: [3, 4], is_paused: 1 });
    },
  },
  'delete /standing/:id': {
    owes: 'standing_ended',
    make: async (app) => {
      const id = await (await aStandingOfAdmin(app)).id();
      return () => admin(app, `delete /standing/${id}?claims=release`);
    },
  },
  // Only the member sees their stars.
  'post /stars': {
    owes: null,
    make: async (app) => {
      const key = await aKey(app);
      return () =>
        app.api
          .post('/stars')
          .set(asMember(key))
          .send({ respawn_ids: [1] });
    },
  },
  'delete /stars/:id': {
    owes: null,
    make: async (app) => {
      const key = await aKey(app);
      await app.api
        .post('/stars')
        .set(asMember(key))
        .send({ respawn_ids: [1] })
        .expect(200);
      return () => app.api.delete('/stars/1').set(asMember(key));
    },
  },
  'post /claims/:id/handover': {
    owes: 'transfer_offered',
    make: async (app) => {
      const { key, id } = await aTransferable(app);
      const to = (await aKey(app)).character_name;
      return () => app.api.post(`/claims/${id}/handover`).set(asMember(key)).send({ to });
    },
  },
  'post /claims/:id/swap': {
    owes: 'transfer_offered',
    make: async (app) => {
      const own = await aTransferable(app);
      const other = await aTransferable(app);
      return () =>
        app.api
          .post(`/claims/${own.id}/swap`)
          .set(asMember(own.key))
          .send({ for_claim_id: other.id });
    },
  },
  'post /transfers/:id/accept': {
    owes: 'transfer_ended',
    make: async (app) => {
      const { to, id } = await aTransfer(app);
      return () => app.api.post(`/transfers/${id}/accept`).set(asMember(to));
    },
  },
  'post /transfers/:id/refuse': {
    owes: 'transfer_ended',
    make: async (app) => {
      const { to, id } = await aTransfer(app);
      return () => app.api.post(`/transfers/${id}/refuse`).set(asMember(to));
    },
  },
  'delete /transfers/:id': {
    owes: 'transfer_ended',
    make: async (app) => {
      const { id } = await aTransfer(app);
      return () => admin(app, `delete /transfers/${id}`);
    },
  },
  'put /claims/admin/:id/character': {
    owes: 'claim_updated',
    changed: ['character_name'],
    make: async (app) => {
      const { id } = await aStoredClaim(app);
      return () =>
        admin(app, `put /claims/admin/${id}/character`, {
          character_name: aName(),
          member_type: 'member',
        });
    },
  },
  'put /claims/admin/:id': {
    owes: 'claim_updated',
    changed: ['hour_start', 'hour_end'],
    make: async (app) => {
      const { id } = await aStoredClaim(app);
      return () => admin(app, `put /claims/admin/${id}`, { hour_start: 1, hour_end: 3 });
    },
  },
  'put /claims/admin/:id/respawn': {
    owes: 'claim_updated',
    changed: ['respawn_name'],
    make: async (app) => {
      const { id } = await aStoredClaim(app);
      const respawn = await aRespawn(app);
      return () => admin(app, `put /claims/admin/${id}/respawn`, { respawn_id: respawn.id });
    },
  },
  'post /admin/claims/bulk': {
    owes: 'claims_deleted',
    make: async (app) => {
      const ids = [(await aStoredClaim(app)).id, (await aStoredClaim(app)).id];
      return () => admin(app, 'post /admin/claims/bulk', { ids, command: { do: 'delete' } });
    },
  },
  'delete /admin/claims/:id': {
    owes: 'claim_deleted',
    make: async (app) => {
      const { id } = await aStoredClaim(app);
      return () => admin(app, `delete /admin/claims/${id}`);
    },
  },
  'post /claims/:id/release': {
    owes: 'claim_released',
    make: async (app) => {
      const { id } = await aStoredClaim(app);
      return () => admin(app, `post /claims/${id}/release`);
    },
  },
  'post /claims/:id/confirm': {
    owes: 'claim_confirmed',
    make: async (app) => {
      await admin(app, 'put /admin/config', { confirm_enabled: 1 });
      const { id } = await aStoredClaim(app);
      // A minute before it begins.
      app.setNow('2026-11-21T18:59:00.000Z');
      return () => admin(app, `post /claims/${id}/confirm`);
    },
  },
  'delete /claims/admin/respawn/:respawnId': {
    owes: 'claims_cleared',
    make: async (app) => {
      const { respawn_id } = await aStoredClaim(app);
      return () => admin(app, `delete /claims/admin/respawn/${respawn_id}`);
    },
  },
  'post /admin/activity-log/:id/undo': {
    owes: 'claims_restored',
    make: async (app) => {
      const { id } = await aStoredClaim(app);
      await admin(app, `delete /admin/claims/${id}`).expect(200);
      const entry = await latest(app, 'claim_deleted');
      return () => admin(app, `post /admin/activity-log/${entry.id}/undo`);
    },
  },
  'post /events': {
    owes: 'event_created',
    make: async (app) => () =>
      admin(app, 'post /events', {
        name: aName('Event'),
        start_time: '2026-12-01',
        end_time: '2026-12-02',
      }),
  },
  'put /events/:id': {
    owes: 'event_updated',
    changed: ['end_time'],
    make: async (app) => {
      const { id } = await anEvent(app);
      return () => admin(app, `put /events/${id}`, { end_time: '2026-11-30T10:00' });
    },
  },
  'delete /events/:id': {
    owes: 'event_deleted',
    make: async (app) => {
      const { id } = await anEvent(app);
      return () => admin(app, `delete /events/${id}`);
    },
  },
  'post /admin/events/:id/copy': {
    owes: 'event_copied',
    make: async (app) => {
      const { id } = await anEvent(app);
      return () =>
        admin(app, `post /admin/events/${id}/copy`, {
          name: aName('Event'),
          start_time: '2027-01-01',
          claims: 'all',
        });
    },
  },
  'post /events/:id/activate': {
    owes: 'event_activated',
    changed: ['active_event'],
    make: async (app) => {
      const { id } = await anEvent(app);
      return () => admin(app, `post /events/${id}/activate`);
    },
  },
  'post /events/:id/deactivate': {
    owes: 'event_deactivated',
    changed: ['active_event'],
    make: async (app) => {
      const { id } = await anActiveEvent(app);
      return () => admin(app, `post /events/${id}/deactivate`);
    },
  },
  'put /admin/config': {
    owes: 'config_updated',
    changed: ['submission_enabled'],
    make: async (app) => {
      const { submission_enabled } = (await app.api.get('/config')).body;
      return () =>
        admin(app, 'put /admin/config', { submission_enabled: submission_enabled ? 0 : 1 });
    },
  },
  // No change of the board: it is each admin's to see on the dashboard only.
  'put /admin/setup': {
    owes: null,
    make: async (app) => () => admin(app, 'put /admin/setup', { skip: ['discord'] }),
  },
  'post /admin/member-types': {
    owes: 'member_type_created',
    make: async (app) => () =>
      admin(app, 'post /admin/member-types', { member_type: aName('type') }),
  },
  'put /admin/member-types/:type': {
    owes: 'member_type_updated',
    changed: ['voucher_duration_hours'],
    make: async (app) => {
      const type = await aMemberType(app);
      return () => admin(app, `put /admin/member-types/${type}`, { voucher_duration_hours: 7 });
    },
  },
  'delete /admin/member-types/:type': {
    owes: 'member_type_deleted',
    make: async (app) => {
      const type = await aMemberType(app);
      return () => admin(app, `delete /admin/member-types/${type}`);
    },
  },
  'post /respawns/admin': {
    owes: 'respawn_created',
    make: async (app) => () =>
      app.api
        .post('/respawns/admin')
        .set(app.admin)
        .field('name', aName('Spot'))
        .attach('image', aGif(), 'spot.gif'),
  },
  'put /admin/respawns/:id': {
    owes: 'respawn_updated',
    changed: ['name'],
    make: async (app) => {
      const { id } = await aRespawn(app);
      return () => admin(app, `put /admin/respawns/${id}`, { name: aName('Spot') });
    },
  },
  'put /admin/respawns/:id/category': {
    owes: 'respawn_updated',
    changed: ['category_name'],
    make: async (app) => {
      const { id } = await aRespawn(app);
      const category_id = await aCategory(app);
      return () => admin(app, `put /admin/respawns/${id}/category`, { category_id });
    },
  },
  'put /admin/respawns/:id/image': {
    owes: 'respawn_updated',
    changed: ['image'],
    make: async (app) => {
      const { id } = await aRespawn(app);
      return () =>
        app.api
          .put(`/admin/respawns/${id}/image`)
          .set(app.admin)
          .attach('image', aGif(), 'spot.gif');
    },
  },
  'post /admin/import/respawns': {
    owes: 'respawns_imported',
    make: async (app) => () =>
      admin(app, 'post /admin/import/respawns', { rows: [{ name: aName('Spot') }] }),
  },
  'post /admin/respawns/bulk': {
    owes: 'respawns_deleted',
    make: async (app) => {
      const ids = [(await aRespawn(app)).id, (await aRespawn(app)).id];
      return () => admin(app, 'post /admin/respawns/bulk', { ids, command: { do: 'delete' } });
    },
  },
  'delete /admin/respawns/:id': {
    owes: 'respawn_deleted',
    make: async (app) => {
      const { id } = await aRespawn(app);
      return () => admin(app, `delete /admin/respawns/${id}`);
    },
  },
  'post /categories': {
    owes: 'category_created',
    make: async (app) => () => admin(app, 'post /categories', { name: aName('Category') }),
  },
  'put /categories/:id': {
    owes: 'category_updated',
    changed: ['name'],
    make: async (app) => {
      const id = await aCategory(app);
      return () => admin(app, `put /categories/${id}`, { name: aName('Category') });
    },
  },
  'delete /categories/:id': {
    owes: 'category_deleted',
    make: async (app) => {
      const id = await aCategory(app);
      return () => admin(app, `delete /categories/${id}`);
    },
  },
  'post /admin/destinations': {
    owes: 'destination_created',
    make: async (app) => () =>
      admin(app, 'post /admin/destinations', {
        name: aName('Channel'),
        kind: 'webhook',
        url: 'https://hooks.example/guild',
        events: ['claim.created'],
        language: 'en',
      }),
  },
  'put /admin/destinations/:id': {
    owes: 'destination_updated',
    changed: ['url', 'events'],
    make: async (app) => {
      const { id } = await aDestination(app);
      return () =>
        admin(app, `put /admin/destinations/${id}`, {
          url: 'https://other.example/',
          events: ['hold.offered'],
        });
    },
  },
  'delete /admin/destinations/:id': {
    owes: 'destination_deleted',
    make: async (app) => {
      const { id } = await aDestination(app);
      return () => admin(app, `delete /admin/destinations/${id}`);
    },
  },
  'post /admin/destinations/:id/rotate-secret': {
    owes: 'destination_secret_rotated',
    make: async (app) => {
      const { id } = await aDestination(app);
      return () => admin(app, `post /admin/destinations/${id}/rotate-secret`);
    },
  },
  // The response is stored nowhere.
  'post /admin/destinations/:id/test': {
    owes: null,
    make: async (app) => {
      const { id } = await aDestination(app);
      app.ctx.post = async () => ({ ok: false, error: 'unreachable' });
      return () => admin(app, `post /admin/destinations/${id}/test`);
    },
  },
  'put /admin/destinations/:id/board-message': {
    owes: 'board_message_saved',
    make: async (app) => {
      const { id } = await aDestination(app, DISCORD_CHANNEL);
      return () => admin(app, `put /admin/destinations/${id}/board-message`, { category_id: null });
    },
  },
  'delete /admin/destinations/:id/board-message': {
    owes: 'board_message_removed',
    make: async (app) => {
      const { id } = await aDestination(app, DISCORD_CHANNEL);
      const path = `/admin/destinations/${id}/board-message`;
      await admin(app, `put ${path}`, { category_id: null }).expect(200);
      return () => admin(app, `delete ${path}`);
    },
  },
  'put /admin/discord': {
    owes: 'discord_app_saved',
    make: async (app) => {
      const discord = await startDiscord();
      app.ctx.post = async () => ({ ok: false, error: 'unreachable' });
      return () => setUpDiscord(app, discord);
    },
  },
  // Whether Discord accepted the commands is no change of the guild's.
  'post /admin/discord/register': {
    owes: 'discord_commands_sent',
    make: async (app) => {
      await aDiscordApp(app);
      return () => admin(app, 'post /admin/discord/register');
    },
  },
  'delete /admin/discord': {
    owes: 'discord_app_removed',
    make: async (app) => {
      await aDiscordApp(app);
      return () => admin(app, 'delete /admin/discord');
    },
  },
  // Only the member sees their code.
  'post /discord/link-code': {
    owes: null,
    make: async (app) => {
      await aDiscordApp(app);
      const key = await aKey(app);
      return () => app.api.post('/discord/link-code').set(asMember(key));
    },
  },
  'delete /discord/links': {
    owes: 'discord_unlinked',
    make: async (app) => {
      const { key, link } = await aLinking(app);
      await link().expect(200);
      return () => app.api.delete('/discord/links').set(asMember(key));
    },
  },
  'put /admin/discord/sign-in': {
    owes: 'discord_sign_in_saved',
    make: async (app) => {
      await aDiscordApp(app);
      return () => admin(app, 'put /admin/discord/sign-in', { client_secret: CLIENT_SECRET });
    },
  },
  'delete /admin/discord/sign-in': {
    owes: 'discord_sign_in_removed',
    make: async (app) => {
      await aDiscordApp(app);
      await admin(app, 'put /admin/discord/sign-in', { client_secret: CLIENT_SECRET }).expect(200);
      return () => admin(app, 'delete /admin/discord/sign-in');
    },
  },
  // Reads keys, and makes a token for this caller alone.
  'post /discord/sign-in': {
    owes: null,
    make: async (app) => {
      const ticket = await aSignInToken(app, 'ticket');
      const cookie = `discord-sign-in=${BROWSER}`;
      return () => app.api.post('/discord/sign-in').set('Cookie', cookie).send({ ticket });
    },
  },
  'post /discord/connect': {
    owes: 'discord_linked',
    make: async (app) => {
      const connect_token = await aSignInToken(app, 'connect');
      const { key_value: access_key } = await aKey(app);
      return () => app.api.post('/discord/connect').send({ connect_token, access_key });
    },
  },
  'post /discord/test': {
    owes: null,
    make: async (app) => {
      const { key, link } = await aLinking(app);
      await link().expect(200);
      return () => app.api.post('/discord/test').set(asMember(key));
    },
  },
  'post /discord/interactions': {
    owes: 'discord_linked',
    make: async (app) => (await aLinking(app)).link,
  },
  'post /admin/system/resume-notifications': {
    owes: 'notifications_resumed',
    make: async (app) => {
      await changeUnheard(app, (tx) =>
        pauseNotifications(tx, { now: app.ctx.now(), notifyingJobs: notifyingJobsOf(features) }),
      );
      return () => admin(app, 'post /admin/system/resume-notifications');
    },
  },
  // Neither is a change of the guild's.
  'post /admin/system/checkup': {
    owes: null,
    make: async (app) => () => admin(app, 'post /admin/system/checkup'),
  },
  'post /admin/system/backup': {
    owes: null,
    make: async (app) => () => admin(app, 'post /admin/system/backup'),
  },
};
