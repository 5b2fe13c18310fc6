/** The page of a character's verification. */
export const pathOf = (characterName: string): string => `/verify/${encodeURIComponent(characterName)}`;
