import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { startLanguage } from './i18n.ts';

await startLanguage('en');

afterEach(cleanup);
