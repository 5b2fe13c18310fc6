import 'react-dom/client';

// A browser starts all modules of a page in one go, and React takes half of it. Whoever imports React waits for this one, as
// the build keeps both in one file (see vite.config.ts), and starts in a turn of its own: in between the page can be painted.
await new Promise((done) => {
  setTimeout(done);
});
