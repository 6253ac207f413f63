/** The addresses and networks in a text, whether they are on lines of their own or separated by commas. */
export function networksIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((network) => network !== '');
}
