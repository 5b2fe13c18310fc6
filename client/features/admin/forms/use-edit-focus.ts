import { type RefObject, useEffect, useRef } from 'react';

/**
 * Into the first field when an edit in place begins, back to the button that began it when it ends.
 * @param box holds the fields, and after it the button, which carries `data-edit` with the id
 * @param editing the id of what is edited, or null
 */
export function useEditFocus(box: RefObject<HTMLElement | null>, editing: number | string | null): void {
  const last = useRef<number | string | null>(null);
  useEffect(() => {
    if (editing !== null) box.current?.querySelector<HTMLElement>('[data-edit-fields] :is(input:not([type=color]), select)')?.focus();
    else if (last.current !== null) box.current?.querySelector<HTMLElement>(`[data-edit="${CSS.escape(String(last.current))}"]`)?.focus();
    last.current = editing;
  }, [box, editing]);
}
