/** Draws the keys of a shortcut with what is between them: `j or ↓`, `g then o`, `Shift + Space`. */
export function Keys({ text }: { text: string }) {
  const [first, joint, second] = text.split(/ (or|then|\+) /);
  return (
    <span className="keys">
      <kbd>{first}</kbd>
      {joint && (
        <>
          {' '}
          {joint} <kbd>{second}</kbd>
        </>
      )}
    </span>
  );
}
