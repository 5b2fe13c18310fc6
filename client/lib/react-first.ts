import 'react-dom/client';

// A browser starts all modules of a page in one go, and React takes half of it. What is imported after this module starts in
// a turn of its own: in between the page can be painted and answer. The build keeps both in one file (see vite.config.ts).
await new Promise((done) => {
  setTimeout(done);
});
