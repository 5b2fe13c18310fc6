/** How many keys, and claims on the board, carry a member type's name. */
export interface Carriers {
  keys: number;
  claims: number;
}

interface Carrier {
  member_type: string;
}

/** By member type; a type that nothing carries is left out. */
export function carriersByType(keys: Iterable<Carrier>, claims: Iterable<Carrier>): ReadonlyMap<string, Carriers> {
  const counts = new Map<string, Carriers>();
  const count = (carriers: Iterable<Carrier>, what: keyof Carriers): void => {
    for (const { member_type } of carriers) {
      const known = counts.get(member_type) ?? { keys: 0, claims: 0 };
      known[what] += 1;
      counts.set(member_type, known);
    }
  };
  count(keys, 'keys');
  count(claims, 'claims');
  return counts;
}
