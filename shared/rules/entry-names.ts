import type { ActivityAction } from '../activity-actions.ts';
import type { Json } from '../errors.ts';
import { nameKey } from './names.ts';

/** Fields of an entry's details that hold the name of a character or a spot. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  'character_name',
  'to_name',
  'respawn_name',
  'names',
]);

/** The characters and spots that an entry of the activity log names, as keys: the log is searched by them. */
export function namesInEntry(
  action: ActivityAction | string,
  details: Readonly<Record<string, Json | undefined>>,
): string[] {
  const keys = new Set<string>();
  const isOfSpots = [action, details.undid_action].some(
    (one) => typeof one === 'string' && one.startsWith('respawn'),
  );
  const collect = (field: string, value: Json | undefined): void => {
    if (typeof value === 'string') {
      if (NAME_FIELDS.has(field) || (isOfSpots && field === 'name')) keys.add(nameKey(value));
    } else if (Array.isArray(value)) {
      for (const each of value) collect(field, each);
    } else if (typeof value === 'object' && value !== null) {
      // A changed field holds its former and its new value.
      for (const [name, each] of Object.entries(value))
        collect(name === 'from' || name === 'to' ? field : name, each);
    }
  };
  for (const [field, value] of Object.entries(details)) collect(field, value);
  keys.delete('');
  return [...keys];
}
