import { nameKey } from '../../shared/rules/names.ts';
import type { Ending } from '../../shared/schemas/ending.ts';

/** Whether somebody else ended it: an admin, whose name is told. */
export const endedByOther = ({ by, character_name }: Ending): boolean => by !== null && nameKey(by) !== nameKey(character_name);
