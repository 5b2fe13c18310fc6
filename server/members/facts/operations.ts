import { DomainError, existing } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { NeedsLook } from '../../../shared/schemas/needs-look.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { findAccessKey } from '../records.ts';
import { namesIn, openNeeds, signOf } from './needs.ts';
import { personOf, readJudging } from './records.ts';
import { followRank } from './store.ts';

type Asked = Pick<NeedsLook, 'id' | 'kind'>;

/** Keeps a character with a fact, until it changes. @throws DomainError key.notFound, facts.changed */
export async function keepFacts(ctx: Writing, admin: Admin, asked: Asked): Promise<void> {
  await write(ctx, async (unit) => {
    const { person, need } = await listed(unit, asked);
    const { character_key, character_name, facts } = person;
    const kept = JSON.stringify([...namesIn(facts.kept), signOf(need)]);
    await unit.tx
      .updateTable('character_facts')
      .set({ kept, leaving_as: null, leaving_since: null })
      .where('character_key', '=', character_key)
      .execute();
    await logActivity(unit, admin, {
      action: 'facts_kept',
      details: { access_key_id: asked.id, character_name, kept: asked.kind },
    });
  });
}

/** Gives a member the type of their new guild rank. @throws DomainError key.notFound, facts.changed */
export async function changeToRank(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { person, need } = await listed(unit, { id, kind: 'rank' });
    if (need.new_type !== null)
      await followRank(unit, admin, { person, member_type: need.new_type });
  });
}

/** The listed fact that an admin acts on. @throws DomainError key.notFound, facts.changed if it is no longer listed */
async function listed({ ctx, tx }: Unit, { id, kind }: Asked) {
  const key = existing(await findAccessKey(tx, id), 'key.notFound');
  const person = await personOf(tx, nameKey(key.character_name));
  const judging = await readJudging(ctx, tx);
  const need = person && openNeeds(person, judging).find((each) => each.kind === kind);
  if (!person || !need) throw new DomainError('facts.changed');
  return { person, need };
}
