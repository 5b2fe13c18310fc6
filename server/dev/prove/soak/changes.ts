import { z } from 'zod';
import { Broken } from '../simulate/broken.ts';
import { dayAfter } from '../simulate/model.ts';
import type { Place } from '../simulate/place.ts';
import { ADMIN_TOKEN } from '../simulate/template.ts';

/** The number of claims on the board: from then on each new one replaces an old one. */
const CLAIMS = 150;
const HUNTERS = 40;
const DAYS_AHEAD = 10;
const CATEGORY = 1;

const stored = z.object({ data: z.array(z.object({ id: z.number() })) });

/** A guild that keeps claiming: each call changes the board, whose size stays the same. */
export class Changes {
  readonly #place: Place;
  readonly #claims: number[] = [];
  #made = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** @throws Broken when the server fails */
  async make(): Promise<void> {
    this.#made += 1;
    if (this.#made % 10 === 0)
      return this.#ask('PUT', `/categories/${CATEGORY}`, { name: `Ankrahmun ${this.#made}` });
    if (this.#made % 25 === 1)
      return this.#ask('PUT', '/admin/config', { submission_enabled: this.#made % 2 });
    if (this.#claims.length >= CLAIMS) {
      const [oldest] = this.#claims.splice(this.#place.turns.chance.below(this.#claims.length), 1);
      return this.#ask('DELETE', `/admin/claims/${oldest}`);
    }
    while (!(await this.#claim())) {
      // The hours are taken, or the character hunts elsewhere on that day.
    }
  }

  async #claim(): Promise<boolean> {
    const { chance } = this.#place.turns;
    const claim = {
      respawn_id: 1 + chance.below(3),
      character_name: `Hunter ${chance.below(HUNTERS)}`,
      date: dayAfter(this.#place.moment().today, chance.below(DAYS_AHEAD)),
      hour_start: chance.below(24),
      hour_end: null as number | null,
    };
    claim.hour_end = claim.hour_start + 1;
    const body = { claims: [claim], admin_submission: true, member_type: 'member' };
    const answer = await this.#send('POST', '/claims', body);
    if (answer.status === 409) return false;
    if (answer.status !== 201)
      throw new Broken(`a claim was answered with ${answer.status} ${answer.body}`);
    this.#claims.push(...stored.parse(JSON.parse(answer.body)).data.map(({ id }) => id));
    return true;
  }

  async #ask(method: string, path: string, body?: object): Promise<void> {
    const answer = await this.#send(method, path, body);
    if (answer.status !== 200)
      throw new Broken(`${method} ${path} was answered with ${answer.status} ${answer.body}`);
  }

  async #send(method: string, path: string, body?: object) {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const answer = await this.#place.call({
      method,
      path: `/api${path}`,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer) throw new Broken(`${method} ${path} was not answered`);
    return answer;
  }
}
