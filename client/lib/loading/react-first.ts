import 'react-dom/client';

// Evaluating React takes half of the start-up. The build puts this module into React's chunk (see vite.config.ts), so all modules that
// import React wait for it, and the browser can paint in between.
await new Promise((done) => {
  setTimeout(done);
});
