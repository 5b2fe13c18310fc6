import './setup/load.mjs';

await import('./main.ts');
