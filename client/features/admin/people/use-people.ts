import { useMemo } from 'react';
import { nameKey } from '../../../../shared/rules/names.ts';
import { getLastClaims } from '../../../api/admin-calls.ts';
import { useServerQuery } from '../../../api/query.ts';
import { useBoard } from '../../../state/board-store.ts';
import { type Person, peopleOf } from './person.ts';

/** Everybody with a key or a verification record, live. */
export function usePeople(): readonly Person[] {
  const keys = useBoard((board) => board.byKind.access_key);
  const records = useBoard((board) => board.byKind.verified_code);
  const claims = useBoard((board) => board.byKind.claim);
  const { data } = useServerQuery({
    queryKey: ['last-claims'],
    queryFn: ({ signal }) => getLastClaims(signal),
  });
  return useMemo(() => {
    const dates = new Map<string, string>();
    const note = (character: string, date: string | null): void => {
      if (date !== null && date > (dates.get(character) ?? '')) dates.set(character, date);
    };
    // The board's claims are newer than the answer; it has those of the active event only.
    for (const { character_name, date, is_held } of claims.values())
      if (!is_held) note(nameKey(character_name), date);
    for (const { id, last_claim_date } of data ?? []) {
      const key = keys.get(id);
      if (key) note(nameKey(key.character_name), last_claim_date);
    }
    return peopleOf(keys.values(), records.values(), dates);
  }, [keys, records, claims, data]);
}
