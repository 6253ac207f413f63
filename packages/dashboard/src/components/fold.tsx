import { type ReactNode, useEffect, useState } from 'react';

interface FoldProps {
  label: string;
  /** Opens the fold whenever this becomes another object, such as the problems of fields within it. */
  attention?: object | undefined;
  children: ReactNode;
}

/** Content that most people do not need, folded away under its label. */
export function Fold({ label, attention, children }: FoldProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (attention) setOpen(true);
  }, [attention]);
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      <div>{children}</div>
    </details>
  );
}
