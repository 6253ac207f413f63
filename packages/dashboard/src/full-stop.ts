/** Ends a sentence. One that ends with the name of a firm may have its full stop already: `Completed: Vargas S.A.` */
export function withFullStop(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
