import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { loadAdminSentences, startLanguage } from './i18n.ts';

await startLanguage('en');
await loadAdminSentences();

afterEach(cleanup);
