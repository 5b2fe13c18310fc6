import './ui/tokens.css';
import './ui/base.css';
import './lib/loading/react-first.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { watchErrors } from './api/report-error.ts';
import { App } from './app.tsx';
import { MissingPage } from './features/shell/fallback-pages.tsx';
import { loadMemberSentences, startLanguage } from './i18n.ts';
import { watchTyping } from './lib/loading/unsaved-input.ts';
import { allowTranslation } from './lib/translated-page.ts';
import { registerServiceWorker } from './offline/register.ts';
import { followOtherTabs, hasSavedSession, startSession } from './state/session-store.ts';

watchErrors();
allowTranslation();
// The two do not wait for each other: the page can say that it is checking.
registerServiceWorker();
watchTyping();
void startSession();
followOtherTabs();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const page = createRoot(root);
// Others load all sentences at once.
const isVisit = location.pathname === '/' && !hasSavedSession();
const part = isVisit ? 'visitor' : 'member';
await startLanguage(undefined, () => page.render(<MissingPage />), part);
// The service worker keeps them, so that every page can start without a network.
if (isVisit && navigator.serviceWorker?.controller) loadMemberSentences().catch(() => {});
// Rendered in slices, so that network events are handled in between.
startTransition(() =>
  page.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
