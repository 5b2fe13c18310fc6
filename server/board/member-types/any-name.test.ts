import { describe, expect, it } from 'vitest';
import { aClaim, aKey, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { aGif } from '../../dev/test/gifs.ts';
import { createSuiteApp } from '../../dev/test/test-app.ts';

/** Names that a plain object has as properties without storing them. */
const OBJECT_NAMES = Object.getOwnPropertyNames(Object.prototype);

describe.each(databases)('a name that every object has as a property, on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it.each(OBJECT_NAMES)(
    '%s is a type, a category, a spot and a character like any other',
    async (name) => {
      await app.api
        .post('/admin/member-types')
        .set(app.admin)
        .send({ member_type: name, voucher_duration_hours: 6 })
        .expect(201);
      await app.api.post('/categories').set(app.admin).send({ name }).expect(201);
      const { body: spot } = await app.api
        .post('/respawns/admin')
        .set(app.admin)
        .field('name', name)
        .attach('image', aGif(), 'a.gif')
        .expect(201);
      const key = await aKey(app, name, name);
      const respawn_id: number = spot.data.id;
      const [claim] = await submitted(
        app,
        key,
        aClaim(key, { respawn_id, hour_start: 10, hour_end: 16 }),
      );
      expect(claim).toMatchObject({
        character_name: name,
        member_type: name,
        respawn_name: name,
        hour_end: 16,
      });
      const { body: snapshot } = await app.api.get('/snapshot').set(app.admin).expect(200);
      expect(JSON.stringify(snapshot)).toContain(`"member_type":"${name}"`);
    },
  );
});
