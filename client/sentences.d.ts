/** What vite.config.ts makes of a language's file: functions that load a part of it, given how to fetch JSON. */
declare module '*.json?member' {
  const load: (fetchJson: (url: string) => Promise<object>) => Promise<object>;
  export default load;
}
declare module '*.json?visitor' {
  const load: (fetchJson: (url: string) => Promise<object>) => Promise<object>;
  export default load;
}
declare module '*.json?notices' {
  const load: (fetchJson: (url: string) => Promise<object>) => Promise<object>;
  export default load;
}
declare module '*.json?admin' {
  const load: (fetchJson: (url: string) => Promise<object>) => Promise<object>;
  export default load;
}
declare module '*.json?first' {
  const sentences: {
    shell: Pick<typeof import('../shared/locales/en.json')['shell'], 'partFailed'>;
    common: { tryAgain: string };
  };
  export default sentences;
}
