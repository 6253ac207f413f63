/** Progress goes to stderr, and the results go to stdout. */
export function reportProgress(text: string): void {
  process.stderr.write(`${text}\n`);
}
