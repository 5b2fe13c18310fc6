/**
 * The media queries that style sheets and components share. A style sheet writes `@media (--phone)`; vite.config.ts puts the query in
 * its place. Widths that only one component needs stay in its own style sheet.
 */
export const MEDIA = {
  /** One column of cards; captions leave buttons that an icon explains. */
  phone: '(max-width: 479.98px)',
  /** Form fields are stacked; the grid of hours has 6 columns. */
  small: '(max-width: 599.98px)',
  /** Two columns become one in dialogs and lists. */
  narrow: '(max-width: 719.98px)',
  /** A picture of a narrower board would be of no use (specification, section 9). */
  photo: '(min-width: 768.02px)',
  /** A bar above the board takes the sidebar's place. */
  folded: '(max-width: 899.98px)',
  /** The claim form's summary sticks to the bottom. */
  stacked: '(max-width: 999.98px)',
  /** The board has room beside the claim form. */
  roomy: '(min-width: 1900px)',
  /** A phone on its side: only the navigation stays in view. */
  short: '(max-height: 499.98px)',
  /** Targets are at least 40 px; sheets in place of popovers. */
  touch: '(pointer: coarse)',
} as const;
