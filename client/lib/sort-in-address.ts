/** By which column a table is sorted, and whether the last value comes first. */
export interface Sort {
  id: string;
  desc: boolean;
}

/** A sort as the address keeps it: `character`, or `-character` for the last first. One that is unknown is the usual. */
export function readSort(text: string, columns: readonly string[], usual: Sort): Sort {
  const desc = text.startsWith('-');
  const id = columns.find((column) => column === (desc ? text.slice(1) : text));
  return id ? { id, desc } : usual;
}

/** Empty for the usual sort. */
export function writeSort({ id, desc }: Sort, usual: Sort): string {
  if (id === usual.id && desc === usual.desc) return '';
  return desc ? `-${id}` : id;
}
