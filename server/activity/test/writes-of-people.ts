import { aKey, aName, anAdmin, asMember } from '../../dev/test/builders.ts';
import { ADMIN_PASSWORD, type TestApp } from '../../dev/test/test-app.ts';
import { aKnownMember } from '../../members/facts/test/need.ts';
import { aCode, records } from '../../members/verification/test/verify.ts';
import { aSubscription, subscribed } from '../../notifications/push/test/browser.ts';
import { admin, type Write } from './write.ts';

async function aRecord(app: TestApp, character_name: string): Promise<number | undefined> {
  return (await records(app)).find((record) => record.character_name === character_name)?.id;
}

async function anInvitation(app: TestApp): Promise<{ id: number; token: string }> {
  const { body } = await admin(app, 'post /admin/invitations', {
    username: aName('Officer'),
    role: 'moderator',
  }).expect(201);
  return body.data;
}

/** Sessions, keys and characters. */
export const writesOfPeople: Record<string, Write> = {
  'post /login': {
    owes: 'admin_login',
    make: async (app) => () =>
      app.api.post('/login').send({ username: 'admin', password: ADMIN_PASSWORD }),
  },
  'post /logout': {
    owes: 'admin_logout',
    make: async (app) => {
      const { body } = await app.api
        .post('/login')
        .send({ username: 'admin', password: ADMIN_PASSWORD });
      return () => app.api.post('/logout').set('Authorization', `Bearer ${body.data.token}`);
    },
  },
  'put /admin/admins/:id': {
    owes: 'admin_role_changed',
    changed: ['role'],
    make: async (app) => {
      const { id } = await anAdmin(app, 'viewer');
      return () => admin(app, `put /admin/admins/${id}`, { role: 'moderator' });
    },
  },
  'delete /admin/admins/:id': {
    owes: 'admin_removed',
    make: async (app) => {
      const { id } = await anAdmin(app, 'admin');
      return () => admin(app, `delete /admin/admins/${id}`);
    },
  },
  'post /admin/invitations': {
    owes: 'admin_invited',
    make: async (app) => () =>
      admin(app, 'post /admin/invitations', { username: aName('Officer'), role: 'moderator' }),
  },
  'delete /admin/invitations/:id': {
    owes: 'admin_invitation_withdrawn',
    make: async (app) => {
      const { id } = await anInvitation(app);
      return () => admin(app, `delete /admin/invitations/${id}`);
    },
  },
  'post /invitations/look': {
    owes: null,
    make: async (app) => {
      const { token } = await anInvitation(app);
      return () => app.api.post('/invitations/look').send({ token });
    },
  },
  'post /invitations/accept': {
    owes: 'admin_added',
    make: async (app) => {
      const { token } = await anInvitation(app);
      return () =>
        app.api.post('/invitations/accept').send({ token, password: 'hunting-at-night' });
    },
  },
  'put /admin/password': {
    owes: 'admin_password_changed',
    make: async (app) => {
      const { token } = await anInvitation(app);
      const { body } = await app.api
        .post('/invitations/accept')
        .send({ token, password: 'hunting-at-night' });
      const passwords = { current_password: 'hunting-at-night', new_password: 'hunting-by-day' };
      return () =>
        app.api
          .put('/admin/password')
          .set('Authorization', `Bearer ${body.data.token}`)
          .send(passwords);
    },
  },
  'post /validate-access-key': {
    owes: null,
    make: async (app) => {
      const { key_value } = await aKey(app);
      return () => app.api.post('/validate-access-key').send({ accessKey: key_value });
    },
  },
  'post /calendar': {
    owes: null,
    make: async (app) => {
      const key = await aKey(app);
      return () => app.api.post('/calendar').set(asMember(key)).send({ language: 'pt' });
    },
  },
  'delete /calendar': {
    owes: null,
    make: async (app) => {
      const key = await aKey(app);
      await app.api.post('/calendar').set(asMember(key)).expect(200);
      return () => app.api.delete('/calendar').set(asMember(key));
    },
  },
  'post /client-errors': {
    owes: null,
    make: async (app) => () =>
      app.api.post('/client-errors').send({ message: 'x is not a function', page: '/input' }),
  },
  'post /push/subscriptions': {
    owes: null,
    make: async (app) => {
      const key = await aKey(app);
      return () => app.api.post('/push/subscriptions').set(asMember(key)).send(aSubscription());
    },
  },
  'delete /push/subscriptions': {
    owes: null,
    make: async (app) => {
      const key = await aKey(app);
      const { endpoint } = await subscribed(app, key);
      return () => app.api.delete('/push/subscriptions').set(asMember(key)).send({ endpoint });
    },
  },
  'post /push/test': {
    owes: null,
    make: async (app) => {
      const key = await aKey(app);
      await subscribed(app, key);
      return () => app.api.post('/push/test').set(asMember(key));
    },
  },
  'put /push/preferences': {
    owes: null,
    make: async (app) => {
      const key = await aKey(app);
      return () => app.api.put('/push/preferences').set(asMember(key)).send({ hunt_begins: 0 });
    },
  },
  'post /generate-verification-code': {
    owes: 'verification_started',
    make: async (app) => () =>
      app.api.post('/generate-verification-code').send({ character_name: 'Bubble' }),
  },
  'post /check-verification': {
    owes: 'user_verified',
    make: async (app, data) => {
      const { code, verification_token } = await aCode(app, 'Eternal Oblivion');
      data.show({ name: 'Eternal Oblivion', comment: code });
      return () =>
        app.api
          .post('/check-verification')
          .send({ characterName: 'Eternal Oblivion', verification_token });
    },
  },
  'post /admin/verify-character': {
    owes: 'user_verified',
    make: async (app) => () =>
      admin(app, 'post /admin/verify-character', { character_name: aName() }),
  },
  'post /admin/revoke-character-access': {
    owes: 'access_key_revoked',
    make: async (app) => {
      const { character_name } = await aKey(app);
      return () => admin(app, 'post /admin/revoke-character-access', { character_name });
    },
  },
  'post /admin/restore-character-access': {
    owes: 'access_key_enabled',
    make: async (app) => {
      const { character_name } = await aKey(app);
      await admin(app, 'post /admin/revoke-character-access', { character_name }).expect(200);
      return () => admin(app, 'post /admin/restore-character-access', { character_name });
    },
  },
  'post /admin/ban-character': {
    owes: 'user_banned',
    make: async (app) => () => admin(app, 'post /admin/ban-character', { character_name: aName() }),
  },
  'post /admin/unban-character': {
    owes: 'user_unbanned',
    make: async (app) => {
      const character_name = aName();
      await admin(app, 'post /admin/ban-character', { character_name }).expect(200);
      return () => admin(app, 'post /admin/unban-character', { character_name });
    },
  },
  'post /admin/verified-codes/bulk': {
    owes: 'characters_banned',
    make: async (app) => {
      const character_name = aName();
      await admin(app, 'post /admin/verify-character', { character_name }).expect(200);
      const id = await aRecord(app, character_name);
      return () =>
        admin(app, 'post /admin/verified-codes/bulk', { ids: [id], command: { do: 'ban' } });
    },
  },
  'delete /admin/verified-codes/:id': {
    owes: 'verification_deleted',
    make: async (app) => {
      const character_name = aName();
      await admin(app, 'post /admin/verify-character', { character_name }).expect(200);
      const id = await aRecord(app, character_name);
      return () => admin(app, `delete /admin/verified-codes/${id}`);
    },
  },
  'post /admin/access-keys': {
    owes: 'access_key_created',
    make: async (app) => () =>
      admin(app, 'post /admin/access-keys', { characterName: aName(), memberType: 'member' }),
  },
  'post /admin/import/members': {
    owes: 'members_imported',
    make: async (app) => () =>
      admin(app, 'post /admin/import/members', { rows: [{ character_name: aName() }] }),
  },
  'post /admin/access-keys/bulk': {
    owes: 'access_keys_moved',
    make: async (app) => {
      const keys = [await aKey(app), await aKey(app)];
      const ids = keys.map(({ id }) => id);
      return () =>
        admin(app, 'post /admin/access-keys/bulk', {
          ids,
          command: { do: 'move', member_type: 'elite' },
        });
    },
  },
  'put /admin/access-keys/:id/revoke': {
    owes: 'access_key_revoked',
    make: async (app) => {
      const { id } = await aKey(app);
      return () => admin(app, `put /admin/access-keys/${id}/revoke`);
    },
  },
  'put /admin/access-keys/:id/enable': {
    owes: 'access_key_enabled',
    make: async (app) => {
      const { id } = await aKey(app);
      await admin(app, `put /admin/access-keys/${id}/revoke`).expect(200);
      return () => admin(app, `put /admin/access-keys/${id}/enable`);
    },
  },
  'put /admin/access-keys/:id/member-type': {
    owes: 'access_key_updated',
    changed: ['member_type'],
    make: async (app) => {
      const { id } = await aKey(app);
      return () => admin(app, `put /admin/access-keys/${id}/member-type`, { memberType: 'vice' });
    },
  },
  'delete /admin/access-keys/:id': {
    owes: 'access_key_deleted',
    make: async (app) => {
      const { id } = await aKey(app);
      return () => admin(app, `delete /admin/access-keys/${id}`);
    },
  },
  'post /admin/needs-look/:id/keep': {
    owes: 'facts_kept',
    make: async (app) => {
      const { id } = await aKnownMember(app, { name: aName() });
      return () => admin(app, `post /admin/needs-look/${id}/keep`, { kind: 'renamed' });
    },
  },
  // The last: from now on only members of a guild verify.
  'post /admin/needs-look/:id/change-type': {
    owes: 'access_key_updated',
    changed: ['member_type'],
    make: async (app) => {
      await admin(app, 'put /admin/config', { guild_name: 'Stalkers' }).expect(200);
      await admin(app, 'put /admin/member-types/elite', { guild_ranks: ['Veteran'] });
      const { id } = await aKnownMember(app, { guild: 'Stalkers', guild_rank: 'Veteran' });
      return () => admin(app, `post /admin/needs-look/${id}/change-type`);
    },
  },
};
