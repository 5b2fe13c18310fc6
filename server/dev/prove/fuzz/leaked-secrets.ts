/** Secrets as answers hold them: tokens, keys, codes, signing secrets, the addresses of calendars. */
const IN_ANSWERS = [
  /"(?:token|verification_token|key_value|accessKey|access_key|secret)":"([^"]{12,})"/g,
  /\b(CLAIM-\w{8})\b/g,
  /\/calendar\/([\w-]{43})\.ics/g,
];
const WORD = /[\w-]{8,}/g;

/** Remembers every secret in an answer, and finds them in the server's log. */
export class LeakedSecrets {
  readonly #words = new Set<string>();

  constructor(secrets: readonly string[]) {
    this.add(...secrets);
  }

  add(...secrets: string[]): void {
    // Of what is written in base64, each of its words.
    for (const secret of secrets) for (const [word] of secret.matchAll(WORD)) this.#words.add(word);
  }

  scan(answer: string): void {
    for (const shape of IN_ANSWERS)
      for (const [, secret = ''] of answer.matchAll(shape)) this.add(secret);
  }

  /** The lines of a log that hold one of them. */
  in(log: string): string[] {
    const lines = log
      .split('\n')
      .filter((line) => line.matchAll(WORD).some(([word]) => this.#words.has(word)));
    return lines.map((line) => `a secret in the log: ${line.slice(0, 300)}`);
  }
}
