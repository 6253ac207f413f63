/** A number with its noun, such as `1 client` or `1,200 clients`. */
export function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
