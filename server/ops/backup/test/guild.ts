import { sql } from 'kysely';
import {
  aClaim,
  aDestination,
  aKey,
  anEvent,
  aRespawn,
  aSpot,
  aWait,
  ban,
  changeUnheard,
  submitted,
} from '../../../dev/test/builders.ts';
import { NOW, type TestApp, TODAY } from '../../../dev/test/test-app.ts';

/** Texts that some encoding would lose. */
const ODD = 'Ölaf "the\\n\tquiet" O\'Neil 🐉 é\n{[,]}\u2028';

/** A guild that has something in each table. */
export async function aFullGuild(app: TestApp): Promise<void> {
  const key = await aKey(app);
  const other = await aKey(app);
  await anEvent(app);
  await aRespawn(app);
  const [claim] = await submitted(app, key, aClaim(key, { respawn_id: 1 }));
  await aWait(app, other);
  await aDestination(app);
  const gone = await aKey(app);
  const [deleted] = await submitted(app, gone, aClaim(gone, { respawn_id: aSpot() + 50 }));
  await app.api.delete(`/admin/claims/${deleted?.id}`).set(app.admin).expect(200);
  await ban(app, gone);
  await app.api
    .post('/generate-verification-code')
    .send({ character_name: 'Somebody' })
    .expect(201);
  await app.api
    .post('/claims')
    .set('Idempotency-Key', 'once')
    .send({
      claims: [aClaim(gone, { respawn_id: 70 })],
      member_type: gone.member_type,
      access_key: gone.key_value,
    });
  await changeUnheard(app, async (tx) => {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(tx);
    await tx.updateTable('config').set({ guild_name: ODD }).execute();
    await run(
      `insert into archived_events values (900, 'Old', 'multiple_claims', '2020-01-01', '2020-02-01', null, 1, '${NOW}', '${NOW}')`,
    );
    await run(`insert into archived_claims (id, event_id, character_name, character_key, member_type, date, voucher_duration,
      is_secondary_claim, secondary_priority, is_split_claim, created_at, last_date)
      values (901, 900, 'Old', 'old', 'member', '${TODAY}', 4, 0, 0, 0, '${NOW}', '${TODAY}')`);
    await run(`insert into archived_claim_parts (claim_id, part_number, respawn_id, respawn_name, hour_start, hour_end, last_date)
      values (901, 1, 1, 'Spot', 2, 3, '${TODAY}')`);
    await run(`insert into calendars (character_key, access_key_id, token_hash, language, made_at, uid, shown_events)
      values ('a', ${key.id}, 'hash', 'en', '${NOW}', 'uid', '[]')`);
    await run(`insert into invitations (username, username_key, role, token_hash, created_by_username, created_at, expires_at)
      values ('Kael', 'kael', 'moderator', 'hash', 'admin', '${NOW}', '${NOW}')`);
    await run(
      `insert into push_preferences values ('a', 1, 1, 0, 1, null, '07:00', 'UTC', 1, 0, 0, 1)`,
    );
    await run(`insert into transfers (kind, claim_id, from_name, from_key, to_name, to_key, offered, created_at, expires_at)
      values ('handover', 1, 'A', 'a', 'B', 'b', '{}', '${NOW}', '${NOW}')`);
    await run(`insert into stars (character_key, respawn_id, position) values ('a', 1, 7)`);
    await run(`insert into former_members values ('gone', '${NOW}')`);
    await run(`insert into character_facts (character_key, due_at, former_names, traded, missing_days, kept)
      values ('a', '${NOW}', '[]', 0, 1, '["left:"]')`);
    await run(`insert into push_reminders (hour_at, reminder) values ('${NOW}', 'before')`);
    await run(`insert into push_subscriptions (character_key, access_key_id, endpoint, p256dh, auth, language, renewed_at)
      values ('a', ${key.id}, 'https://push.example/1', 'p', 'a', 'en', '${NOW}')`);
    await run(`insert into deliveries (channel_id, message_id, type, at, attempt, ms, outcome, answer)
      select id, 'm', 'claim.created', '${NOW}', 1, 2, 'delivered', '' from channels`);
    await run(`insert into board_messages (channel_id, url, message_id, language, failures)
      select min(id), 'https://hooks.example/guild', '7', 'en', 0 from channels`);
    await run(`insert into outbox (at, type, body) values ('${NOW}', 'claim.created', '{}')`);
    await run(`insert into undo_pieces (undo_id, piece, body) select min(id), 77, '[]' from undos`);
    await run(`insert into undo_images (undo_id, hash) select min(id), 'all bytes' from undos`);
    await run(`insert into standing_claims (respawn_id, character_name, character_key, member_type, weekdays, hour_start, hour_end,
      from_date, created_at) values (1, 'Old', 'old', 'member', '24', 10, 14, '${TODAY}', '${NOW}')`);
    await run(
      `insert into standing_occurrences (standing_id, date, tried_on, code) values (1, '${TODAY}', '${TODAY}', 'claim.timeConflict')`,
    );
    await run(
      `insert into discord_app (id, application_id, public_key, bot_token, saved_at) values (1, '1', 'key', 'token', '${NOW}')`,
    );
    await run(
      `insert into discord_sign_in (id, application_id, client_secret, saved_at) values (1, '1', 'secret', '${NOW}')`,
    );
    await run(`insert into discord_sign_in_tokens (token_hash, kind, discord_user_id, discord_name, expires_at)
      values ('hash', 'ticket', '1', 'Thora', '${NOW}')`);
    await run(`insert into discord_interactions (id, at) values ('1', '${NOW}')`);
    await run(`insert into direct_messages (access_key_id, about, subject, channel_id, message_id, language, notice, until)
      values (${key.id}, 'claim 1', 'claim', '1', '2', 'en', '{}', '${NOW}')`);
    await run(`insert into idempotent_answers values ('c', 'k', 'r', '[]', '${NOW}')`);
    await run(
      `insert into heartbeats (began_at, beat_at, pause_reason, pause_seconds) values ('${NOW}', '${NOW}', 'jumped', 86400)`,
    );
    await run(`insert into wrong_tries values ('hash', 3, '${NOW}', '${NOW}')`);
    await run(`insert into servers values ('gone', '2020-01-01', '2020-01-01', null, '{}')`);
    // Larger than one read, and with every byte value.
    const bytes = Buffer.alloc(
      1_500_000,
      Buffer.from(Array.from({ length: 256 }, (_, nth) => nth)),
    );
    await tx.insertInto('images').values({ hash: 'all bytes', bytes, created_at: NOW }).execute();
    await run(`update claims set secondary_priority = 5 where id = ${claim?.id}`);
  });
}
