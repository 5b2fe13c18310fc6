import { z } from 'zod';
import { idInPath } from '../../../shared/schemas/fields.ts';
import { characterStars, starActor, starsInput } from '../../../shared/schemas/star.ts';
import { routeFor } from '../../http/router.ts';
import { addStars, readStars, removeStar, type StarContext } from './stars.ts';

const route = routeFor<StarContext>();

const params = z.object({ id: idInPath });

export const starRoutes = [
  route(
    {
      method: 'get',
      path: '/stars',
      access: 'member',
      summary:
        "List the ids of the respawns that the member's character has starred, oldest star first",
      answer: characterStars,
    },
    ({ ctx, caller: { character_key } }) => readStars(ctx, character_key),
  ),
  route(
    {
      method: 'post',
      path: '/stars',
      access: 'member',
      summary:
        "Star respawns for the member's character; ids that no respawn has are left out, and beyond 300 the oldest stars go",
      body: starsInput,
      answer: characterStars,
    },
    ({ ctx, caller, body }) => addStars(ctx, caller, body.respawn_ids),
  ),
  route(
    {
      method: 'delete',
      path: '/stars/:id',
      access: 'member',
      summary:
        "Remove the star of the respawn with this id from the member's character, if there is one",
      params,
      body: starActor,
      answer: characterStars,
    },
    ({ ctx, caller, params: { id } }) => removeStar(ctx, caller, id),
  ),
];
