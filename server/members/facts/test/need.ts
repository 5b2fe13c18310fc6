import { nameKey } from '../../../../shared/rules/names.ts';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { admin } from '../../../activity/test/write.ts';
import { aName, changeUnheard } from '../../../dev/test/builders.ts';
import { NOW, type TestApp } from '../../../dev/test/test-app.ts';
import type { CharacterFacts } from '../needs.ts';
import { noFacts } from '../records.ts';

export interface VerifiedMember {
  id: number;
  name: string;
  key_value: string;
}

/** A character that an admin verified. */
export async function aMember(app: TestApp, name = aName()): Promise<VerifiedMember> {
  const { body } = await admin(app, 'post /admin/verify-character', { character_name: name });
  const { access_key }: VerifiedCode = body.data;
  const { id } = await app.ctx.db
    .selectFrom('access_keys')
    .select('id')
    .where('character_key', '=', nameKey(name))
    .executeTakeFirstOrThrow();
  return { id, name, key_value: access_key ?? '' };
}

/** A verified character with facts as a look stores them. */
export async function aKnownMember(
  app: TestApp,
  facts: Partial<CharacterFacts>,
): Promise<VerifiedMember> {
  const member = await aMember(app);
  const known = {
    ...noFacts(nameKey(member.name), NOW),
    name: member.name,
    read_at: NOW,
    ...facts,
  };
  await changeUnheard(app, (tx) => tx.insertInto('character_facts').values(known).execute());
  return member;
}
