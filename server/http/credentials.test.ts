import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isCapability } from '../../shared/rules/roles.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { routes } from '../app.ts';
import { aClaim, aKey, anAdmin, aSpot } from '../dev/test/builders.ts';
import { usualDatabases } from '../dev/test/databases.ts';
import { createSuiteApp, TODAY } from '../dev/test/test-app.ts';
import { aSubscription } from '../notifications/push/test/browser.ts';
import type { Route } from './router.ts';

const WRONG = 'NONE-SUCH-KEYS';

const named = (route: Route) => ({ ...route, name: `${route.method} ${route.path}` });
const acting = routes.filter(({ access }) => access === 'member' || access === 'actor').map(named);
const others = routes
  .filter(({ access }) => access === 'reader' || isCapability(access))
  .map(named);

it('every call that takes a key in the body reads it the one way', () => {
  const withKey = routes.filter(
    ({ body }) => body instanceof z.ZodObject && 'access_key' in body.shape,
  );
  const also = [
    'get /push/preferences',
    'get /discord/links',
    'get /standing',
    'get /standing/:id/claims',
    'get /stars',
    'get /transfers/recipients',
  ];
  expect(acting.map(({ name }) => name).sort()).toEqual(
    [...withKey.map((route) => named(route).name), ...also].sort(),
  );
});

describe.each(usualDatabases)('of several credentials one counts, on %s', (dialect) => {
  const app = createSuiteApp(dialect, { env: { TRUST_PROXY: '1' } });
  let key: AccessKey;
  let viewer: string;
  let owner: string;

  beforeAll(async () => {
    key = await aKey(app);
    viewer = (await anAdmin(app, 'viewer')).token;
    owner = (await anAdmin(app, 'owner')).token;
  });

  interface GivenCredentials {
    body?: string;
    token?: string;
    header?: string;
    admin_submission?: boolean;
  }
  /** The code of the refusal; an empty text if it is not about the credential. */
  async function refusalOf(
    { method, path }: Route,
    { body, token, header, admin_submission }: GivenCredentials,
  ): Promise<string> {
    const hours = { respawn_id: 1, date: TODAY, hour_start: 10, hour_end: 14 };
    const claims = [aClaim(key, { respawn_id: aSpot() })];
    const sent = {
      ...hours,
      weekdays: [1],
      respawn_ids: [1],
      to: 'Bubble',
      for_claim_id: 1,
      claims,
      ...aSubscription(),
      language: 'en',
      connect_token: 'x'.repeat(43),
      access_key: body,
      admin_submission,
      character_name: 'Bubble',
    };
    const url = path.replace(':id', '999999').replace(':date', TODAY).replace(/:\w+/g, 'Nobody');
    const call = app.api[method](url).query({ date: TODAY, from: TODAY, to: TODAY });
    // Wrong keys are limited by address: each route is called from a different one.
    call.set(
      'X-Forwarded-For',
      `192.0.2.${routes.findIndex((each) => each.path === path && each.method === method)}`,
    );
    if (token) call.set('Authorization', `Bearer ${token}`);
    if (header) call.set('X-Access-Key', header);
    const answer = await (method === 'get' ? call : call.send(sent));
    const code = String(answer.body?.code ?? '');
    return code.startsWith('session.') || code === 'key.required' ? code : '';
  }

  describe.each(acting)('$name', (route) => {
    const takesBody = route.method !== 'get';

    it.runIf(takesBody)(
      'the key in the body before all others, also where it is refused',
      async () => {
        expect(
          await refusalOf(route, { body: key.key_value, token: 'made-up', header: WRONG }),
        ).toBe('');
        expect(await refusalOf(route, { body: key.key_value, token: viewer })).toBe('');
        expect(await refusalOf(route, { body: WRONG, token: owner, header: key.key_value })).toBe(
          'session.invalidKey',
        );
      },
    );

    it('then the token, also where it is refused', async () => {
      expect(await refusalOf(route, { token: 'made-up', header: key.key_value })).toBe(
        'session.expired',
      );
      const refused = route.access === 'member' ? 'key.required' : 'session.notAllowed';
      expect(await refusalOf(route, { token: viewer, header: key.key_value })).toBe(refused);
    });

    it('then the key in the header; without any it is refused', async () => {
      expect(await refusalOf(route, { header: key.key_value })).toBe('');
      expect(await refusalOf(route, { header: WRONG })).toBe('session.invalidKey');
      expect(await refusalOf(route, {})).toBe('session.required');
    });
  });

  it('an admin submission is made with the token, regardless of other keys', async () => {
    const submit = acting.find(({ name }) => name === 'post /claims');
    if (!submit) throw new Error('there is no such call');
    const admin_submission = true;
    expect(
      await refusalOf(submit, { body: WRONG, token: owner, header: WRONG, admin_submission }),
    ).toBe('');
    expect(
      await refusalOf(submit, { body: key.key_value, token: 'made-up', admin_submission }),
    ).toBe('session.expired');
    expect(await refusalOf(submit, { body: key.key_value, token: viewer, admin_submission })).toBe(
      'session.notAllowed',
    );
    expect(await refusalOf(submit, { body: key.key_value, admin_submission })).toBe(
      'session.required',
    );
    expect(await refusalOf(submit, { header: key.key_value, admin_submission })).toBe(
      'session.adminOnly',
    );
    expect(await refusalOf(submit, { token: owner })).toBe('session.required');
  });

  it.each(others)('$name: the token before the key, also where it is refused', async (route) => {
    expect(await refusalOf(route, { token: 'made-up', header: key.key_value })).toBe(
      'session.expired',
    );
    if (route.access === 'reader')
      expect(await refusalOf(route, { token: viewer, header: WRONG })).toBe('');
  });
});
