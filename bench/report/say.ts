/** Progress goes to stderr; stdout is for the results. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
