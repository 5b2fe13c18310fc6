import fc from 'fast-check';

// A mutant that survives runs every property that reaches it. The same cases each time give it the same score.
fc.configureGlobal({ seed: 1, endOnFailure: true, interruptAfterTimeLimit: 400 });
