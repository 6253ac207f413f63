// Apart from how references are made, because browsers check rows of files, too.
export const REFERENCE_ID_PATTERN = '^\\d{1,15}-\\d{4,15}$';
const SHAPE = new RegExp(REFERENCE_ID_PATTERN);

export function isReferenceId(text: string): boolean {
  return SHAPE.test(text);
}
