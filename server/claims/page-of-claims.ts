import type { ClaimRow } from '../../shared/schemas/claim.ts';
import type { DatedPageQuery } from '../../shared/schemas/fields.ts';
import type { Context } from '../context.ts';
import { type Answer, tellTotal } from '../http/listed.ts';
import { type ClaimScope, claimRows, countIn, pageOfClaims } from './queries.ts';

/** A page of a scope's claims; its header says how many there are within the dates, a split one counted once. */
export async function answerClaims(ctx: Context, res: Answer, scope: ClaimScope, page: DatedPageQuery): Promise<ClaimRow[]> {
  await tellTotal(res, page, () => countIn(ctx.db, scope, page));
  return claimRows(ctx.db, await pageOfClaims(ctx.db, scope, page));
}
