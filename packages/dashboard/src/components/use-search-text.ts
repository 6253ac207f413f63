import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

/** The address is updated when the member has stopped typing for this long. */
const TYPING_MS = 100;

/**
 * The text of a field whose search is kept in the address, without spaces around it. What the member types is never replaced
 * by what they typed before; only a change from elsewhere, such as a link or the back button, replaces it.
 */
export function useSearchText(
  search: string,
  onSearch: (search: string | undefined) => void,
): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed.trim();
    onSearch(sent.current || undefined);
  }, TYPING_MS);
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    send.cancel();
    setText(search);
  }, [search, send]);
  const type = (typed: string) => {
    setText(typed);
    send(typed);
  };
  return [text, type];
}
