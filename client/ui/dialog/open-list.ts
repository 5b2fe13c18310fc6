/** Whether a key was pressed in an input whose list is open: Escape closes the list before the dialog around it. */
export const isInOpenList = ({ target }: Event): boolean =>
  target instanceof Element && target.getAttribute('aria-expanded') === 'true';
