// What need not wait for the page's programs; a file of its own, as the content security policy allows no inline scripts.

// Before the first paint.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // This browser blocks storage: the system's appearance.
}

// The first date that a page writes takes a telephone a fifth of a second, in which it answers to nothing. Here it has that
// time: there is nothing to see or to tap until the programs are fetched, and they are on their way.
new Intl.DateTimeFormat('en', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Los_Angeles',
}).format();

// The programs that a signed-in browser needs beside the page's own; a visitor does without them.
try {
  const files = document.currentScript?.dataset;
  const isSignedIn = /\baccess_key_/.test(document.cookie) || localStorage.getItem('adminToken');
  for (const href of isSignedIn ? [files?.member, location.pathname === '/' && files?.board] : []) {
    if (!href) continue;
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = href;
    document.head.append(link);
  }
} catch {
  // Without storage they come when they are first needed.
}
