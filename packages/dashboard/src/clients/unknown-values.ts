import { type Fields, type FilePreview, findWord, isWordColumn, type WordColumn } from '#contract/clients/files.ts';

/** The values of a column that are none of our words. */
export interface UnknownValues {
  field: WordColumn;
  /** The name of the column in the file. */
  column: string;
  /** Null if the column has too many values to list them. */
  values: string[] | null;
}

/** What was chosen for values, by `field:value`. */
export type Meanings = Readonly<Record<string, string>>;

/** The columns with values that have to be explained, if any. */
export function unknownValuesIn(preview: FilePreview, fields: Fields): UnknownValues[] {
  return fields.flatMap((field, index) => {
    if (!isWordColumn(field)) return [];
    const values = preview.values[index]?.filter((value) => findWord(field, value) === undefined) ?? null;
    return values?.length === 0 ? [] : [{ field, column: preview.columns[index] || COLUMN_WITHOUT_NAME, values }];
  });
}

const COLUMN_WITHOUT_NAME = 'A column without a name';

export function meaningOf(meanings: Meanings, field: WordColumn, value: string): string | undefined {
  return meanings[`${field}:${value}`];
}

/** With another word for a value, or with none. */
export function withMeaning(meanings: Meanings, field: WordColumn, value: string, word: string): Meanings {
  return { ...meanings, [`${field}:${value}`]: word };
}

/** As the service takes them. What was chosen for a column that is imported as something else now is left out. */
export function chosenValues(unknown: readonly UnknownValues[], meanings: Meanings): string[] {
  return unknown.flatMap(({ field, values }) =>
    (values ?? []).flatMap((value) => {
      const word = meaningOf(meanings, field, value);
      return word ? [`${field}:${value}:${word}`] : [];
    }),
  );
}
