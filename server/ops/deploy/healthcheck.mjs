/** Exits with 0 if the server in this container is ready. Plain JavaScript, like all that starts on any Node. */

const answer = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
