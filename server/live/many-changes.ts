/**
 * A write that changes more records than this tells every watcher to load anew instead of naming each: the change set
 * is kept for those who catch up, and sent to everyone.
 */
export const MANY_CHANGES = 100;
