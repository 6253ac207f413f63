/** A message that begins in lower case, such as `line 1: the file is empty`, as a sentence of its own. */
export function capitalised(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
