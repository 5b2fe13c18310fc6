import { defineConfig } from 'vite';
import { entries } from './joined.mjs';

/** Every package that is imported as one file; what two of them share is a third. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    minify: false,
    rolldownOptions: { input: entries, treeshake: false, output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
  },
});
