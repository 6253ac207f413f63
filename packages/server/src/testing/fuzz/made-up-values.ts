/** References of clients, tokens of groups, ids of imports, tags, cursors, access tokens and public keys. */
const MADE_UP =
  /\b\d{13}-\d{6,}\b|\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|\bimp_[\w-]+|(?<=")\w+-\w+(?=[."])|(?<=cursor=)[\w-]+|(?<="(?:access_token|x)":")[\w.-]+/g;

/** Makes the answers of two databases comparable: what each of them makes up by itself is numbered in the order of its appearance. */
export class MadeUpValues {
  readonly #numbers = new Map<string, number>();

  replaceIn(text: string): string {
    return text.replace(MADE_UP, (value) => {
      const number = this.#numbers.get(value) ?? this.#numbers.size + 1;
      this.#numbers.set(value, number);
      return `<${number}>`;
    });
  }
}
