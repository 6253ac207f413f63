import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core';
import { useState } from 'react';
import { bestMatches, partMatcherOf } from './best-matches.ts';

/** What lets a select be searched by typing. `Enter` takes the first option that matches, which is the best one. */
export function useSearchOptions(options: readonly unknown[]) {
  const [typed, setTyped] = useState('');
  return {
    searchable: true,
    filter: filterOptions,
    // Where nothing was typed, `Enter` would take an option that nobody meant. When the options arrive after it, this changes, too.
    selectFirstOptionOnChange: typed.trim() !== '' && options.length > 0,
    onSearchChange: setTyped,
  };
}

/** The options that match what was typed, the best one first. */
export const filterOptions: OptionsFilter = ({ options, search, limit }) => {
  if (search.trim() === '') return options.slice(0, limit);
  return bestMatches(options.filter(isOption), partMatcherOf(search), limit).map(({ entry }) => entry);
};

function isOption(option: ComboboxParsedItem): option is ComboboxItem {
  return !('group' in option);
}
