/** What vite.config.ts makes of a language's file. */
declare module '*.json?member' {
  const sentences: Omit<typeof import('../shared/locales/en.json'), 'admin' | 'discord' | 'invite' | 'notifications' | 'push'>;
  export default sentences;
}
declare module '*.json?notices' {
  const sentences: Pick<typeof import('../shared/locales/en.json'), 'notifications'>;
  export default sentences;
}
declare module '*.json?admin' {
  const sentences: Pick<typeof import('../shared/locales/en.json'), 'admin' | 'discord' | 'invite'>;
  export default sentences;
}
declare module '*.json?first' {
  const sentences: { shell: Pick<typeof import('../shared/locales/en.json')['shell'], 'partFailed'>; common: { tryAgain: string } };
  export default sentences;
}
